import type { AffectedByCancelling } from "../../../contract/schema/proposals.js";
import type { Queryable } from "../../infra/database/db.js";
import { inlined, queryNamed } from "../../infra/database/statement-names.js";

const shownGuests = 10;
const shownPlatforms = 10;

export async function readAffected(tx: Queryable, eventId: string): Promise<AffectedByCancelling> {
  const [row] = await queryNamed<AffectedByCancelling>(tx, "read affected by cancelling")`
    select (
      select json_build_object(
        'pending', coalesce(sum(t.pending), 0), 'approved', coalesce(sum(t.approved), 0),
        'waitlisted', coalesce(sum(t.waitlisted), 0), 'declined', coalesce(sum(t.declined), 0),
        'checked_in', coalesce(sum(t.checked_in), 0)) from rosters t where t.event_id = ${eventId}) as guests,
      array(
        select name from (
          (select r.name, 1 as rank, r.registered_at, r.id from registrations r
            where r.event_id = ${eventId} and r.status = 'approved'
            order by r.registered_at, r.id limit ${inlined(shownGuests)})
          union all
          (select r.name, 2, r.registered_at, r.id from registrations r
            where r.event_id = ${eventId} and r.status = 'pending'
            order by r.registered_at, r.id limit ${inlined(shownGuests)})) r
        order by rank, registered_at, id limit ${inlined(shownGuests)}) as first_guests,
      (select json_build_object('count', count(*), 'platforms', coalesce((array_agg(distinct l.platform))[:${inlined(shownPlatforms)}], '{}'))
        from poster_links l where l.event_id = ${eventId}) as posted_links`;
  if (row === undefined) throw new Error("a select without a row");
  return row;
}
