import sql, { type Sql } from "sql-template-tag";
import { expiringPlatformKeys, platformKeys } from "../../access/key-store.js";
import { comesAfterIn, type Position } from "../../infra/database/keyset-page.js";

/** Keys of no organization, newest first. Who made one in the console is known from its record. */
export function selectPlatformKeys(after: Position | null, limit: number): Sql {
  const earlier = comesAfterIn("desc", sql`created_at, id`, after);
  // "offset 0" keeps the check one look-up per key: as a hash, it would read all keys.
  return sql`
    select row_to_json(item)::text as item, array[k.created_at, k.id::text] as position
    from (
      select id, created_at from api_keys where organization_id is null and ${earlier}
      order by created_at desc, id desc limit ${limit}) page,
    lateral (select * from ${platformKeys} k where k.id = page.id limit 1) k, lateral (
      select k.*, (
        select coalesce(u.name, r.operator) from mutation_records r left join users u on u.id = r.user_id
        where r.tool in ('create_platform_key', 'svc:keys create')
          and coalesce(r.after -> 'key' ->> 'id', r.after ->> 'id') = k.id::text
        limit 1) as created_by, exists (select from ${expiringPlatformKeys} e where e.id = k.id offset 0) as expires_soon) item
    order by page.created_at desc, page.id desc`;
}
