import sql from "sql-template-tag";
import type { z } from "zod";
import type { Role } from "../../access/roles.js";
import type { Queryable } from "../../platform/database/db.js";
import { ServiceError } from "../../platform/errors.js";
import { columnsOf } from "../../schema/noun.js";
import { organizationFields, type organizationInput } from "./schema.js";

/** The id of an organization by slug or id. */
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

export type OrganizationDetails = {
  [Name in keyof typeof organizationInput]: z.output<(typeof organizationInput)[Name]>;
};

/** The named fields. A change does not show what it does not touch, such as a long description. */
export async function getOrganizationDetails<Name extends keyof OrganizationDetails>(
  tx: Queryable,
  organizationId: string,
  names: readonly Name[],
  baseUrl: string,
): Promise<Pick<OrganizationDetails, Name>> {
  const [row] = await tx.query<OrganizationDetails>(sql`
    select ${columnsOf("o", organizationFields, baseUrl)} from organizations o where o.id = ${organizationId}`);
  if (row === undefined) throw new ServiceError("not_found", "Organization not found");
  return Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<OrganizationDetails, Name>;
}
