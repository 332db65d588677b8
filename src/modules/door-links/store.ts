import sql from "sql-template-tag";
import type { ListedDoorLink } from "../../../contract/console/door-links.js";
import { maximumWrongPins } from "../../../contract/door-links.js";
import { ServiceError } from "../../../contract/errors.js";
import { endOfDoor, workingDoorLinks } from "../../access/door-links.js";
import type { Queryable } from "../../infra/database/db.js";
import type { DoorSecrets } from "./secrets.js";

/** Whose links for which event. */
export type Door = { eventId: string; organizationId: string };

/** A link as records show it. */
export type ShownDoorLink = { id: string; name: string; state: "open" | "revoked" };

/** When a new link would end, and whether that is over. */
export async function getDoorEnd(tx: Queryable, eventId: string): Promise<{ ends_at: string; isOver: boolean }> {
  const [row] = await tx.query<{ ends_at: string; is_over: boolean }>(sql`
    select iso8601(${endOfDoor}) as ends_at, ${endOfDoor} <= now() as is_over from events e where e.id = ${eventId}`);
  if (row === undefined) throw new ServiceError("not_found", "Event not found");
  return { ends_at: row.ends_at, isOver: row.is_over };
}

/** Those that are not revoked, whether they work at this moment or not. */
export async function countDoorLinks(tx: Queryable, { eventId, organizationId }: Door): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from door_links
    where event_id = ${eventId} and organization_id = ${organizationId} and revoked_at is null`);
  return row?.count ?? 0;
}

export async function findDoorLink(tx: Queryable, door: Door, id: string): Promise<ShownDoorLink | undefined> {
  const [row] = await tx.query<ShownDoorLink>(sql`
    select id, name, case when revoked_at is null then 'open' else 'revoked' end as state from door_links
    where id = ${id} and event_id = ${door.eventId} and organization_id = ${door.organizationId}`);
  return row;
}

type NewDoorLink = Door & { id: string; name: string; createdBy: string; secrets: DoorSecrets };

export async function insertDoorLink(tx: Queryable, link: NewDoorLink): Promise<void> {
  const { tokenHash, pinHash } = link.secrets;
  await tx.query(sql`
    insert into door_links (id, event_id, organization_id, created_by, name, token_hash, pin_hash)
    values (${link.id}, ${link.eventId}, ${link.organizationId}, ${link.createdBy}, ${link.name}, ${tokenHash}, ${pinHash})`);
}

/** A link that works, as what ends it names it. */
export type WorkingDoorLink = { id: string; name: string; event: { id: string; name: string } };

/** Those that a person made, for events of an organization or of all: they end with the person's right. */
export function listDoorLinksBy(tx: Queryable, userId: string, organizationId?: string): Promise<WorkingDoorLink[]> {
  const ofOrganization = organizationId === undefined ? sql`` : sql`and l.organization_id = ${organizationId}`;
  return tx.query<WorkingDoorLink>(sql`
    select l.id, l.name, json_build_object('id', e.id, 'name', e.name) as event
    from ${workingDoorLinks} l join events e on e.id = l.event_id
    where l.created_by = ${userId} ${ofOrganization} order by e.start_time, e.id, l.created_at, l.id`);
}

/** Revokes the links that a person made before a time, or ever, and returns how many. */
export async function revokeDoorLinksFrom(tx: Queryable, userId: string, before: string | null): Promise<number> {
  const revoked = await tx.query<{ id: string }>(sql`
    update door_links set revoked_at = now()
    where created_by = ${userId} and revoked_at is null and (${before}::timestamptz is null or created_at < ${before})
    returning id`);
  const ids = revoked.map(({ id }) => id);
  await tx.query(sql`delete from door_sessions where link_id = any(${ids}::uuid[])`);
  return ids.length;
}

export async function revokeDoorLinkById(tx: Queryable, id: string): Promise<void> {
  await tx.query(sql`update door_links set revoked_at = now() where id = ${id}`);
  await tx.query(sql`delete from door_sessions where link_id = ${id}`);
}

/** The newest first. They are few: a new one needs room among those that are not revoked. */
export function listDoorLinks(db: Queryable, { eventId, organizationId }: Door): Promise<ListedDoorLink[]> {
  return db.query<ListedDoorLink>(
    sql`
      select l.id, l.name, iso8601(l.created_at) as created_at, iso8601(l.last_used_at) as last_used_at,
        iso8601(${endOfDoor}) as ends_at, json_build_object('id', u.id, 'name', u.name) as created_by,
        (select count(*)::int from door_sessions s where s.link_id = l.id) as devices,
        case when not exists (select from ${workingDoorLinks} w where w.id = l.id) then 'ended'
          when l.wrong_pins >= ${maximumWrongPins} then 'locked' else 'open' end as state
      from door_links l join users u on u.id = l.created_by join events e on e.id = l.event_id
      where l.event_id = ${eventId} and l.organization_id = ${organizationId} and l.revoked_at is null
      order by l.created_at desc, l.id`,
    "list door links",
  );
}
