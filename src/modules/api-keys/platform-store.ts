import sql, { type Sql } from "sql-template-tag";
import { expiringPlatformKeys, platformKeys } from "../../access/key-store.js";
import type { Position } from "../../platform/database/keyset-page.js";

/** Keys of no organization, newest first. Who made one in the console is known from its record. */
export function selectPlatformKeys(after: Position | null, limit: number): Sql {
  const earlier = after === null ? sql`true` : sql`(k.created_at, k.id) < (${after[0]}, ${after[1]}::uuid)`;
  return sql`
    select row_to_json(item)::text as item, array[k.created_at, k.id::text] as position
    from ${platformKeys} k, lateral (
      select k.*, (
        select coalesce(u.name, r.operator) from mutation_records r left join users u on u.id = r.user_id
        where (r.tool = 'create_platform_key' and r.after -> 'key' ->> 'id' = k.id::text)
          or (r.tool = 'svc:keys create' and r.after ->> 'id' = k.id::text)
        limit 1) as created_by, exists (select from ${expiringPlatformKeys} e where e.id = k.id) as expires_soon) item
    where ${earlier}
    order by k.created_at desc, k.id desc limit ${limit}`;
}
