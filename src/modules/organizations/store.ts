import sql from "sql-template-tag";
import type { Role } from "../../access/roles.js";
import type { Queryable } from "../../platform/db.js";
import { ServiceError } from "../../platform/errors.js";

/** Finds an organization by slug or id. */
export async function getOrganizationId(db: Queryable, slugOrId: string): Promise<string> {
  const [row] = await db.query<{ id: string }>(
    sql`select id from organizations where slug = ${slugOrId} or id::text = lower(${slugOrId})`,
  );
  if (row === undefined) throw new ServiceError("not_found", `no organization has the slug or id ${slugOrId}`);
  return row.id;
}

export async function findMemberRole(db: Queryable, organizationId: string, userId: string): Promise<Role | undefined> {
  const [row] = await db.query<{ role: Role }>(
    sql`select role from members where organization_id = ${organizationId} and user_id = ${userId}`,
  );
  return row?.role;
}
