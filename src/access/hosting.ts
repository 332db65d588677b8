import sql, { type Sql } from "sql-template-tag";
import { ServiceError } from "../../contract/errors.js";
import type { HostRole } from "../../contract/nouns.js";
import { createBatchLoader, placesIn } from "../infra/database/batch-loader.js";
import type { Queryable } from "../infra/database/db.js";
import { queryNamed } from "../infra/database/statement-names.js";
import { type ActiveKey, activeKeyJson, callerOf, keyOf, type SecretHash } from "./api-key.js";
import type { BearerCaller, OrganizationCaller } from "./caller.js";
import { type ActiveApp, activeAppJson, appOfToken, callerOfApp } from "./connected-apps.js";
import {
  hostedEvents,
  listedRows,
  notHosted,
  requireVisibleRow,
  type UnlistedState,
  unlistedStateFor,
} from "./visibility.js";

export type HostedEvent = CalledEvent & { role: HostRole };

/** The event of a call. `isLinked`: to an event of the ticketing platform. `unlisted`: null for one that is listed. */
export type CalledEvent = {
  id: string;
  name: string;
  timezone: string;
  isLinked: boolean;
  unlisted: UnlistedState | null;
};

/**
 * What an organization must be to the event of a call. `host_or_offered`: its host, or the one that it was offered to;
 * `host_or_cancelled`: its host, also after it has cancelled the event.
 */
export type EventRole = "host_or_co_host" | "host" | "host_or_offered" | "host_or_cancelled";

/** An event that a call names; null when it does not exist for the organization. Its role is null when the organization does not host it. */
export type Hosting = { event: (CalledEvent & { role: HostRole | null; offered: boolean }) | null };

/** Offers of events whose maker may still offer events of that organization. */
export const openOffers = sql`(
  select o.* from host_offers o where may_offer_events(o.offered_by, o.from_organization_id))`;

export async function getHosting(
  db: Queryable,
  { organizationId }: OrganizationCaller,
  eventId: string,
): Promise<Hosting> {
  const [row] = await queryNamed<Hosting>(db, "get hosting")`${selectHosting(organizationId, eventId)}`;
  return row ?? { event: null };
}

export function selectHosting(organizationId: string, eventId: string): Sql {
  return sql`
    select json_build_object('id', e.id, 'name', e.name, 'timezone', e.timezone, 'isLinked', e.ticketing_event_id is not null,
      'role', case when u.state is null then (
        select hosted.role from ${hostedEvents(organizationId)} hosted where hosted.id = e.id) else 'host' end,
      'offered', e.listed and exists (
        select from ${openOffers} o where o.event_id = e.id and o.to_organization_id = ${organizationId}),
      'unlisted', u.state) as event
    from events e, lateral (select ${unlistedStateFor(organizationId)} as state) u
    where e.id = ${eventId}::uuid and (e.listed or u.state is not null)`;
}

/** A caller, whether the organization of its key or app hosts or co-hosts any event, and whether it was offered one. */
export type HostingCaller = { caller: BearerCaller; hostsEvents: boolean; hasOffers: boolean };

/** A key or a token, by its hash. */
type Secret = { hash: SecretHash; isToken: boolean };

export type HostingCallerFinder = (secret: Secret) => Promise<HostingCaller | undefined>;

/** Looks up a key or a token together with what decides about the tools of its caller, batched over concurrent requests. */
export function hostingCallerFinder(db: Queryable): HostingCallerFinder {
  return createBatchLoader(
    ({ hash }) => hash,
    async (secrets) => {
      const rows = await db.query<HostingCallerRow>(selectHostingCallers(secrets), "find hosting callers");
      const found: (HostingCaller | undefined)[] = [];
      for (const { place, credential, hosts, offered } of rows) {
        const caller = "appId" in credential ? callerOfApp(credential) : callerOf(credential);
        found[place - 1] = { caller, hostsEvents: hosts, hasOffers: offered };
      }
      return found;
    },
  );
}

type HostingCallerRow = { place: number; credential: ActiveKey | ActiveApp; hosts: boolean; offered: boolean };

/** Each secret is looked for where it can be. */
export function selectHostingCallers(secrets: Secret[]): Sql {
  const hash = sql`given.hashes[place]`;
  const isToken = sql`given.tokens[place]`;
  return sql`
    select place, found.credential, exists (select from ${hostedEvents(sql`found.organization_id`)} hosted) as hosts,
      exists (select from ${offersTo(sql`found.organization_id`)} o) as offered
    from (
        select ${secrets.map((secret) => secret.hash)}::bytea[] as hashes,
          ${secrets.map((secret) => secret.isToken)}::boolean[] as tokens) given,
      ${placesIn(sql`given.hashes`)} place
    join lateral (
      select ${activeKeyJson} as credential, k.organization_id from ${keyOf(hash)} k where not ${isToken}
      union all
      select ${activeAppJson}, a.organization_id from ${appOfToken(hash)} a where ${isToken}) found on true`;
}

/** What a refusal says at its end about an event that is not the organization's, and about one that it does not host alone. */
type HostingAdvice = { event: string; host: string };

/** The event of a call, if the organization is to it what is required. */
export function requireHosted(
  hosting: Hosting,
  required: "host_or_co_host" | "host",
  advice?: HostingAdvice,
): HostedEvent;
export function requireHosted(
  hosting: Hosting,
  required: EventRole,
  advice?: HostingAdvice,
): CalledEvent & { role: HostRole | null };
export function requireHosted(
  { event }: Hosting,
  required: EventRole,
  advice: HostingAdvice = { event: "", host: "" },
): CalledEvent & { role: HostRole | null } {
  const isOffered = required === "host_or_offered" && event?.offered === true;
  const row = event === null ? undefined : { ...event, visible: event.role !== null || isOffered };
  const { id, name, timezone, isLinked, unlisted, role } = requireVisibleRow("event", row, {
    forbidden: notHosted,
    advice: advice.event,
  });
  if (role === "host" || isOffered || (role === "co_host" && required === "host_or_co_host"))
    return { id, name, timezone, isLinked, unlisted, role };
  const problem = "Only the host of this event may do this; your organization is a co-host";
  throw new ServiceError("forbidden", problem + advice.host);
}

/** Refuses a change of an event that its host has cancelled. */
export function requireNotCancelled({ unlisted }: CalledEvent): void {
  if (unlisted !== "cancelled") return;
  throw new ServiceError(
    "conflict",
    "Your organization cancelled this event, so it can only be read. Nothing was changed. To change it, undo the cancellation first: call revert_change with the record_id of cancel_event, which list_changes returns",
  );
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

/** The ids of the events that an organization hosts, in any status, as an array: they are few of all events. */
export function eventsOfHost(organizationId: string): Sql {
  return sql`array(select h.event_id from event_hosts h where h.organization_id = ${organizationId})`;
}

/** The order of rows h of `hostsOf`: the host, then the co-hosts by position. */
export const hostOrder = sql`h.role = 'host' desc, h.position, h.slug`;

/** The offers of events to an organization that has not answered them. */
export function offersTo(organizationId: string | Sql): Sql {
  return sql`(
    select o.* from ${openOffers} o join ${listedRows("event")} e on e.id = o.event_id
    where o.to_organization_id = ${organizationId})`;
}

/** The offers of events that an organization has made or received. Nobody else sees them. */
export function offersOf(organizationId: string): Sql {
  return sql`(
    ${offersTo(organizationId)}
    union all
    (select o.* from ${openOffers} o join ${listedRows("event")} e on e.id = o.event_id
     where o.from_organization_id = ${organizationId}))`;
}

/** A condition on a record r: it changed an offer and no host, so only the two organizations of the offer know of it. */
export const isOfOffer = sql`(r.tool = 'set_event_primary_host' and r.before -> 'hosts' = r.after -> 'hosts')`;

function namedOrganization(id: Sql): Sql {
  return sql`(
    select json_build_object('id', h.id, 'name', h.name, 'slug', h.slug) from organizations h where h.id = ${id})`;
}

/** What is shown of an offer o: the two organizations, and when it was made. */
export const offerColumns = sql`
  ${namedOrganization(sql`o.to_organization_id`)} as "to", ${namedOrganization(sql`o.from_organization_id`)} as "from",
  iso8601(o.offered_at) as offered_at`;
