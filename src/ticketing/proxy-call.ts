import sql, { type Sql } from "sql-template-tag";
import { fieldError, ServiceError } from "../../contract/errors.js";
import { type ActiveKey, activeKeyJson, callerOf, keyOf, type SecretHash } from "../access/api-key.js";
import type { KeyCaller, OrganizationCaller } from "../access/caller.js";
import { hostedEvents, listedRows, notHosted, requireVisibleRow } from "../access/visibility.js";
import { createBatchLoader, placesIn } from "../infra/database/batch-loader.js";
import type { Queryable } from "../infra/database/db.js";
import { uuidPattern } from "../infra/ids.js";
import { invalid, unexpectedEventId } from "./request.js";

export type TicketedEvent = { id: string; ticketingEventId: string };

export type ProxyCallLookup = { keyHash: SecretHash; eventReference: string | null };

/** `event` is null if it does not exist or if the lookup names none. */
export type LoadedProxyCall = { caller: KeyCaller; event: ReferencedEvent | null };

type ReferencedEvent = { id: string; ticketingEventId: string | null; hosted: boolean };

/** Looks up key and event in one statement, batched over concurrent calls: the round trip dominates the proxy's cost. */
export function createProxyCallLoader(
  db: Queryable,
): (lookup: ProxyCallLookup) => Promise<LoadedProxyCall | undefined> {
  return createBatchLoader(idOfLookup, async (lookups) => {
    const rows = await db.query<ProxyCallRow>(selectProxyCalls(lookups), "load proxy calls");
    const calls: (LoadedProxyCall | undefined)[] = [];
    for (const { place, key, event } of rows) calls[place - 1] = { caller: callerOf(key), event };
    return calls;
  });
}

export function selectProxyCalls(lookups: ProxyCallLookup[]): Sql {
  const references = lookups.map(({ eventReference }) => eventReference);
  return sql`
    select place, ${activeKeyJson} as key, case when e.id is not null then json_build_object(
      'id', e.id, 'ticketingEventId', e.ticketing_event_id,
      'hosted', exists (select from ${hostedEvents(sql`k.organization_id`)} hosted where hosted.id = e.id)) end as event
    from (
      select ${lookups.map(({ keyHash }) => keyHash)}::bytea[] as key_hashes,
        ${references.map((reference) => (isUuid(reference) ? reference : null))}::uuid[] as event_ids,
        ${references.map((reference) => (isUuid(reference) ? null : reference))}::text[] as ticketing_event_ids) given,
      ${placesIn(sql`given.key_hashes`)} place
    join lateral ${keyOf(sql`given.key_hashes[place]`)} k on true
    left join lateral (
      select * from ${listedRows("event")} named where named.id = coalesce(
        given.event_ids[place],
        (select linked.id from events linked where linked.ticketing_event_id = given.ticketing_event_ids[place])) limit 1
    ) e on true`;
}

type ProxyCallRow = { place: number; key: ActiveKey; event: ReferencedEvent | null };

function idOfLookup({ keyHash, eventReference }: ProxyCallLookup): string {
  return `${keyHash} ${eventReference ?? ""}`;
}

function isUuid(reference: string | null): boolean {
  return reference !== null && uuidPattern.test(reference);
}

/**
 * The referenced event, once the caller's organization is known to host it. A platform id that belongs to no event here
 * gets the same 403 as another organization's, so that callers cannot probe for ids.
 */
export function requireTicketedEvent(event: ReferencedEvent | null, reference: string): TicketedEvent {
  const isPlatformId = reference.startsWith("evt-");
  if (event === null && !isUuid(reference) && !isPlatformId) {
    throw fieldError("event_id", "expected an event's UUID, or its evt-… id on the ticketing platform");
  }
  const row = event ?? (isPlatformId ? { hosted: false } : undefined);
  requireVisibleRow("event", row && { visible: row.hosted }, { forbidden: notHosted });
  if (event === null || event.ticketingEventId === null) {
    throw new ServiceError(
      "conflict",
      "This event is not linked to the ticketing platform: the operator of this service links it with svc events link",
    );
  }
  return { id: event.id, ticketingEventId: event.ticketingEventId };
}

/**
 * Only the event id field is translated: an event's UUID in any other field would mean nothing to the platform, and is a
 * mistake. UUIDs of events that the organization does not host are forwarded like any other, so that nobody can probe for them.
 */
export async function refuseOtherEventIds(
  db: Queryable,
  { organizationId }: OrganizationCaller,
  otherUuids: Map<string, string>,
): Promise<void> {
  if (otherUuids.size === 0) return;
  const [event] = await db.query<{ given: string }>(sql`
    select given from unnest(${[...otherUuids.keys()]}::text[]) given
    join ${hostedEvents(organizationId)} hosted on hosted.id = given::uuid limit 1`);
  if (event !== undefined) throw invalid(otherUuids.get(event.given) ?? "body", unexpectedEventId);
}
