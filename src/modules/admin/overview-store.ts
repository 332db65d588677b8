import sql, { raw } from "sql-template-tag";
import type { Overview } from "../../../contract/console/admin.js";
import { expiringPlatformKeys } from "../../access/key-store.js";
import { waitingProposals } from "../../access/proposals.js";
import { listedRows } from "../../access/visibility.js";
import type { Queryable } from "../../infra/database/db.js";
import { countUnfinishedWrites } from "../../records/history.js";

const shownItems = 5;
const unfinishedDays = 7;

export async function readOverview(db: Queryable): Promise<Overview> {
  const [row] = await db.query<Overview>(sql`
    with proposed_events as (
      select e.id, e.name, w.proposed_at as position from ${waitingProposals} w join events e on e.id = w.event_id
    ), draft_conferences as (
      select c.id, c.name, c.start_date::text as position from conferences c where c.status = 'draft'
    ), empty_conferences as (
      select c.id, c.name, c.start_date::text as position from ${listedRows("conference")} c
      where not exists (select from ${listedRows("event")} e where e.conference_id = c.id)
    ), ownerless_organizations as (
      select o.id, o.name, lower(o.name) as position from organizations o
      where not exists (select from members m where m.organization_id = o.id and m.role = 'owner')
    ), expiring_keys as (
      select k.id, k.name, k.expires_at as position from ${expiringPlatformKeys} k
    )
    select
      json_build_object(
        'conferences', (select count(*) from conferences), 'events', (select count(*) from events),
        'organizations', (select count(*) from organizations), 'people', (select count(*) from users)) as counts,
      json_build_object(
        'proposed_events', ${concern("proposed_events")}, 'draft_conferences', ${concern("draft_conferences")}, 'empty_conferences', ${concern("empty_conferences")},
        'ownerless_organizations', ${concern("ownerless_organizations")},
        'expiring_keys', ${concern("expiring_keys")}) as attention`);
  if (row === undefined) throw new Error("the overview returned no row");
  const unfinished = { count: await countUnfinishedWrites(db, unfinishedDays), days: unfinishedDays };
  return { ...row, attention: { ...row.attention, unfinished_writes: unfinished } };
}

function concern(relation: string) {
  return sql`(
    select json_build_object('count', count(*), 'items', coalesce(
      (select json_agg(json_build_object('id', id, 'name', name) order by position, id)
        from (select * from ${raw(relation)} order by position, id limit ${shownItems}) shown), '[]'))
    from ${raw(relation)})`;
}
