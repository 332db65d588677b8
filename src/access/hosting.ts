import sql, { type Sql } from "sql-template-tag";
import type { Queryable } from "../platform/database/db.js";
import { ServiceError } from "../platform/errors.js";
import type { OrganizationCaller } from "./caller.js";
import { hostedEvents, listedRows, notHosted, requireVisibleRow } from "./visibility.js";

export const hostRoles = ["host", "co_host"] as const;

export type HostRole = (typeof hostRoles)[number];

export type HostedEvent = { id: string; role: HostRole };

/** What an organization hosts, as far as a call of a tool needs to know. */
export type Hosting = {
  /** Whether the organization hosts or co-hosts any event. */
  any: boolean;
  /** The event that the call names; null when nobody sees it. Its role is null when the organization does not host it. */
  event: { id: string; role: HostRole | null } | null;
};

export async function getHosting(
  db: Queryable,
  { organizationId }: OrganizationCaller,
  eventId: string | null,
): Promise<Hosting> {
  const [row] = await db.query<Hosting>(sql`
    select exists (select from ${hostedEvents(organizationId)} hosted) as any, (
      select json_build_object('id', e.id, 'role', hosted.role)
      from ${listedRows("event")} e left join ${hostedEvents(organizationId)} hosted on hosted.id = e.id
      where e.id = ${eventId}::uuid) as event`);
  return row ?? { any: false, event: null };
}

/** The event of a call, if the organization hosts it in the required role. */
export function requireHosted({ event }: Hosting, required: "host_or_co_host" | "host"): HostedEvent {
  const row = event === null ? undefined : { ...event, visible: event.role !== null };
  const { id, role } = requireVisibleRow("event", row, notHosted);
  if (role !== "host" && (role === null || required === "host")) {
    throw new ServiceError("forbidden", "Only the host of this event may do this; your organization is a co-host");
  }
  return { id, role };
}

/** For reads that are no tools: the event, if the caller's organization hosts or co-hosts it. */
export async function getHostedEvent(db: Queryable, caller: OrganizationCaller, eventId: string): Promise<HostedEvent> {
  return requireHosted(await getHosting(db, caller, eventId), "host_or_co_host");
}

/** The organizations that host an event, with role and position. */
export function hostsOf(eventId: Sql): Sql {
  return sql`(
    select o.*, h.role, h.position from event_hosts h join organizations o on o.id = h.organization_id
    where h.event_id = ${eventId})`;
}

/** The order of rows h of `hostsOf`: the host, then the co-hosts by position. */
export const hostOrder = sql`h.role = 'host' desc, h.position, h.slug`;
