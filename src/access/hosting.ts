import sql from "sql-template-tag";
import type { Queryable } from "../platform/db.js";
import { ServiceError } from "../platform/errors.js";
import type { OrganizationCaller } from "./caller.js";
import { visibleEvents } from "./visibility.js";

export type HostRole = "host" | "co_host";

/** The event, if the caller's organization hosts it in the wanted role. */
export async function getHostedEvent(
  db: Queryable,
  caller: OrganizationCaller,
  eventId: string,
  wanted: "host_or_co_host" | "host",
): Promise<{ id: string; role: HostRole }> {
  const [row] = await db.query<{ role: HostRole | null }>(sql`
    select h.role from events e
    left join ${visibleEvents(caller)} v on v.id = e.id
    left join event_hosts h on h.event_id = v.id and h.organization_id = ${caller.organizationId}
    where e.id = ${eventId} and e.listed`);
  if (row === undefined) throw new ServiceError("not_found", "Event not found");
  if (row.role === null) throw new ServiceError("forbidden", "Your organization neither hosts nor co-hosts this event");
  if (wanted === "host" && row.role !== "host") {
    throw new ServiceError("forbidden", "Only the host of this event may do this; your organization is a co-host");
  }
  return { id: eventId, role: row.role };
}

/** Whether there is any event that event tools could be used on. */
export async function hostsAnyEvent(db: Queryable, caller: OrganizationCaller): Promise<boolean> {
  const [row] = await db.query<{ hosts: boolean }>(
    sql`select exists (select from ${visibleEvents(caller)} v) as hosts`,
  );
  return row?.hosts ?? false;
}
