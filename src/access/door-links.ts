import sql from "sql-template-tag";
import { doorHoursAfterEvent } from "../../contract/door-links.js";
import { createBatchLoader } from "../infra/database/batch-loader.js";
import type { Queryable } from "../infra/database/db.js";
import type { OrganizationCaller } from "./caller.js";

/** The link with which a volunteer opened the door on this device. `maker` is who made it. */
export type DoorLink = {
  id: string;
  name: string;
  eventId: string;
  organizationId: string;
  maker: { id: string; name: string };
};

/** When the link of an event e ends: it follows the event. */
export const endOfDoor = sql`(e.end_time + ${doorHoursAfterEvent}::int * interval '1 hour')`;

/** Links that work: while the organization hosts the event, which is listed, and the maker may manage its events. */
export const workingDoorLinks = sql`(
  select l.*, u.name as maker from door_links l
  join users u on u.id = l.created_by
  join members m on m.organization_id = l.organization_id and m.user_id = l.created_by and m.role in ('admin', 'owner')
  join event_hosts h on h.organization_id = l.organization_id and h.event_id = l.event_id and h.listed
  join events e on e.id = l.event_id
  where l.revoked_at is null and now() < ${endOfDoor})`;

type FoundSession = DoorLink & { isStale: boolean };

/** In one statement for all requests of an event-loop turn: what ends a link ends its sessions with the next request. */
export function doorSessionFinder(db: Queryable): (tokenHash: Buffer) => Promise<FoundSession | undefined> {
  return createBatchLoader(
    (tokenHash) => tokenHash.toString("latin1"),
    async (tokenHashes) => {
      const rows = await db.query<{ place: number; session: FoundSession }>(
        sql`
          select requested.place, json_build_object(
            'id', l.id, 'name', l.name, 'eventId', l.event_id, 'organizationId', l.organization_id,
            'maker', json_build_object('id', l.created_by, 'name', l.maker),
            'isStale', l.last_used_at is null or l.last_used_at < now() - interval '1 minute') as session
          from unnest(${tokenHashes}::bytea[]) with ordinality requested (token_hash, place)
          join door_sessions s on s.token_hash = requested.token_hash
          join ${workingDoorLinks} l on l.id = s.link_id`,
        "find door sessions",
      );
      const found: (FoundSession | undefined)[] = [];
      for (const { place, session } of rows) found[place - 1] = session;
      return found;
    },
  );
}

/** Whoever has opened a link acts for the person who made it, as a member who may change guests and nothing else. */
export function doorCaller({ id, organizationId, maker }: DoorLink): OrganizationCaller {
  return {
    via: { kind: "door", linkId: id },
    tier: "organization",
    organizationId,
    userId: maker.id,
    scopes: ["registrations:write"],
    role: "member",
  };
}
