import sql from "sql-template-tag";
import { expect, it } from "vitest";
import { hostRoles, recordVias, statuses } from "../../contract/nouns.js";
import { roles } from "../../contract/roles.js";
import { conferenceCategory } from "../../contract/schema/conferences.js";
import { eventCategory, eventTier } from "../../contract/schema/events.js";
import { registrationStatus } from "../../contract/schema/registrations.js";
import { segmentKind } from "../../contract/schema/run-of-show.js";
import { speakerRole } from "../../contract/schema/speakers.js";
import { scopes } from "../../contract/scopes.js";
import { useDatabase } from "../support/setup.js";

/** Enumerations are declared in zod schemas and again as CHECK constraints: both must list the same values. */

const declared: Record<string, readonly string[]> = {
  "members.role": roles,
  "invitations.role": roles,
  "conferences.status": statuses,
  "conferences.category": conferenceCategory.options,
  "events.status": statuses,
  "events.category": eventCategory.options,
  "events.tier": eventTier.options,
  "event_hosts.role": hostRoles,
  "speakers.role": speakerRole.options,
  "registrations.status": registrationStatus.options,
  "registrations.previous_status": registrationStatus.exclude(["declined"]).options,
  "segments.kind": segmentKind.options,
  "api_keys.scopes": scopes,
  "connected_apps.scopes": scopes,
  "images.content_type": ["image/png", "image/jpeg", "image/webp"],
  "mutation_records.via": recordVias,
};

const { db } = useDatabase(1);

it("CHECK constraints that list values allow exactly the declared ones", async () => {
  const sorted = (lists: Iterable<[string, readonly string[]]>) =>
    Object.fromEntries([...lists].map(([column, values]) => [column, values.toSorted()]));
  expect(sorted(await readConstraints())).toEqual(sorted(Object.entries(declared)));
});

/** The values of every single-column constraint that lists them: `col = ANY (ARRAY['a'::text, …])`, or `<@`. */
async function readConstraints(): Promise<Map<string, string[]>> {
  const rows = await db.query<{ column: string; definition: string }>(sql`
    select c.conrelid::regclass || '.' || a.attname as column, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'c' and c.connamespace = 'public'::regnamespace and cardinality(c.conkey) = 1`);
  return new Map(
    rows.flatMap(({ column, definition }) => {
      const list = /(?:= ANY|<@) \(?(?:\()?ARRAY\[(.*?)\]/.exec(definition)?.[1];
      return list === undefined ? [] : [[column, [...list.matchAll(/'([^']*)'/g)].map((match) => match[1] ?? "")]];
    }),
  );
}
