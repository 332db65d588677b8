import sql, { type Sql } from "sql-template-tag";
import type { z } from "zod";
import { ServiceError } from "../../../contract/errors.js";
import type { Status } from "../../../contract/nouns.js";
import type { conferenceInput } from "../../../contract/schema/conferences.js";
import type { Actor, Caller } from "../../access/caller.js";
import { visibleConferences } from "../../access/visibility.js";
import type { Database, Queryable } from "../../infra/database/db.js";
import { comesAfter, type Position } from "../../infra/database/keyset-page.js";
import { updateRow } from "../../infra/database/update-row.js";
import { recordedChange } from "../../records/recorded-change.js";

export function selectConferences(caller: Caller, baseUrl: string, after: Position | null, limit: Sql): Sql {
  const later = comesAfter(sql`v.start_date, v.id`, after, ["date", "uuid"]);
  // The limit makes the join a look-up by id: only the rows of the page are read.
  return sql`
    select row_to_json(item)::text as item, array[v.start_date::text, v.id::text] as position
    from ${visibleConferences(caller)} v, lateral (select * from conferences where id = v.id limit 1) c,
      ${conferenceItem(baseUrl)}
    where ${later}
    order by v.start_date, v.id limit ${limit}`;
}

/** The id of a conference in any status, by slug, id or a part of its slug or name that no other conference has. */
export async function getConferenceId(db: Queryable, named: string): Promise<string> {
  const [exact] = await db.query<{ id: string }>(
    sql`select id from conferences where slug = ${named} or id::text = lower(${named})`,
  );
  if (exact !== undefined) return exact.id;
  const [found, ...others] = await db.query<{ id: string; slug: string }>(sql`
    select c.id, c.slug from conferences c where ${isPartOfName(sql`c`, named)}
    order by c.start_date desc, c.id limit ${shownMatches}`);
  if (found === undefined) throw new ServiceError("not_found", `no conference has the slug or id ${named}`);
  if (others.length === 0) return found.id;
  const slugs = [found, ...others].map(({ slug }) => slug).join(", ");
  throw new ServiceError("conflict", `several conferences match ${named}; use a slug: ${slugs}`);
}

const shownMatches = 5;

/** Whether the slug or a name of a conference, a row of this name, contains a text, in upper or lower case. */
export function isPartOfName(row: Sql, text: string): Sql {
  const names = sql`lower(concat_ws(chr(10), ${row}.slug, ${row}.name, ${row}.short_name))`;
  return sql`(${text} <> '' and strpos(${names}, lower(${text})) > 0)`;
}

/** The response fields of a row `c`. */
function conferenceItem(baseUrl: string): Sql {
  return sql`lateral (
    select c.id, c.name, c.slug, c.short_name, c.description, c.city, c.start_date, c.end_date, c.timezone, c.status,
      c.category, absolute_url(${baseUrl}, c.banner_thumbnail_url) as banner_thumbnail_url,
      iso8601(c.created_at) as created_at) item`;
}

type ConferenceDetails = { [Name in keyof typeof conferenceInput]: z.output<(typeof conferenceInput)[Name]> };

/** What administrators see and write of a conference in any status. */
export type AdministeredConference = ConferenceDetails & { id: string; status: Status };

export async function findConference(
  db: Queryable,
  by: { id: string } | { slug: string },
  baseUrl: string,
): Promise<AdministeredConference | undefined> {
  const condition = "id" in by ? sql`c.id = ${by.id}` : sql`c.slug = ${by.slug}`;
  const [row] = await db.query<{ item: AdministeredConference & { created_at: string } }>(
    sql`select row_to_json(item) as item from conferences c, ${conferenceItem(baseUrl)} where ${condition}`,
  );
  if (row === undefined) return undefined;
  const { created_at: _, ...conference } = row.item;
  return conference;
}

export async function getConference(db: Queryable, id: string, baseUrl: string): Promise<AdministeredConference> {
  const conference = await findConference(db, { id }, baseUrl);
  if (conference === undefined) throw new ServiceError("not_found", `No conference has the id ${id}`);
  return conference;
}

export type EventsByStatus = Record<Status, number>;

export async function countEventsByStatus(db: Queryable, conferenceId: string): Promise<EventsByStatus> {
  const [row] = await db.query<EventsByStatus>(sql`
    select count(*) filter (where status = 'draft')::int as draft,
      count(*) filter (where status = 'approved')::int as approved,
      count(*) filter (where status = 'published')::int as published,
      count(*) filter (where status = 'archived')::int as archived
    from events where conference_id = ${conferenceId}`);
  return row ?? { draft: 0, approved: 0, published: 0, archived: 0 };
}

type ConferenceStatus = { id: string; name: string; slug: string; status: Status };

/** Changes the status of a conference, given by slug or id. A conference that is not listed hides everything in it. */
export async function setConferenceStatus(
  db: Database,
  actor: Actor,
  slugOrId: string,
  status: Status,
): Promise<ConferenceStatus> {
  const { result } = await recordedChange(db, actor, async (tx) => {
    const id = await getConferenceId(tx, slugOrId);
    const [before] = await tx.query<ConferenceStatus>(
      sql`select id, name, slug, status from conferences where id = ${id} for update`,
    );
    if (before === undefined) throw new Error(`conference ${id} was removed meanwhile`);
    const after = { ...before, status };
    await updateRow(tx, "conferences", { id }, { status });
    const record = { tool: "svc:conferences set-status", request: { conference: slugOrId, status }, before, after };
    return { result: after, record: before.status === status ? null : record };
  });
  return result;
}

type ListedConference = ConferenceStatus & { start_date: string; events: number };

/** All conferences in any status, for operators. */
export function listConferences(db: Database): Promise<ListedConference[]> {
  return db.query<ListedConference>(sql`
    select c.id, c.name, c.slug, c.status, c.start_date,
      (select count(*) from events e where e.conference_id = c.id)::int as events
    from conferences c order by c.start_date, c.id`);
}
