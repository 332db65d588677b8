import sql from "sql-template-tag";
import type { Queryable } from "../../infra/database/db.js";

/** A visit is over when the person has not looked for this long. */
const visitEnds = sql`interval '30 minutes'`;
/** A page may note its visit more often: it is stored at most this often. */
const notedEvery = sql`interval '1 minute'`;

type Visitor = { organizationId: string; userId: string };

/** Notes that a person looks at the dashboard. It is not a change of the organization's data and has no record. */
export async function noteVisit(db: Queryable, { organizationId, userId }: Visitor): Promise<void> {
  await db.query(sql`
    insert into visits (user_id, organization_id, visited_at) values (${userId}, ${organizationId}, now())
    on conflict (user_id, organization_id) do update set
      previous_visit_at =
        case when visits.visited_at < now() - ${visitEnds} then visits.visited_at else visits.previous_visit_at end,
      visited_at = now()
    where visits.visited_at < now() - ${notedEvery}`);
}

/** The end of the visit before this one, whether or not this one is noted yet; null on the first visit. */
export async function findPreviousVisit(db: Queryable, { organizationId, userId }: Visitor): Promise<string | null> {
  const [row] = await db.query<{ since: string | null }>(sql`
    select iso8601(case when visited_at < now() - ${visitEnds} then visited_at else previous_visit_at end) as since
    from visits where user_id = ${userId} and organization_id = ${organizationId}`);
  return row?.since ?? null;
}
