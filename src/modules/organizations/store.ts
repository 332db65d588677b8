import sql from "sql-template-tag";
import type { z } from "zod";
import type { Organization } from "../../../contract/console/account.js";
import { ServiceError } from "../../../contract/errors.js";
import type { Role } from "../../../contract/roles.js";
import { organizationFields, type organizationInput } from "../../../contract/schema/organizations.js";
import type { Queryable } from "../../infra/database/db.js";
import { queryNamed } from "../../infra/database/statement-names.js";
import type { RevertibleTable } from "../../revert/revertible-table.js";
import { columnsOf } from "../../schema/columns.js";

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

/** The organizations that a person is a member of, by name. */
export function listOrganizationsOf(db: Queryable, userId: string, baseUrl: string): Promise<Organization[]> {
  return db.query<Organization>(sql`
    select o.id, o.slug, o.name, m.role, absolute_url(${baseUrl}, o.logo_url) as logo_url, o.brand_primary_color,
      iso8601(v.visited_at) as visited_at
    from members m join organizations o on o.id = m.organization_id
    left join visits v on v.user_id = m.user_id and v.organization_id = o.id
    where m.user_id = ${userId} order by lower(o.name), o.id`);
}

/** A key outlives its organization by less than a request. */
export const organizationGone = "Your organization no longer exists: use a key of another one";

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
  const [row] = await queryNamed<OrganizationDetails>(tx, "get organization details")`
    select ${columnsOf("o", organizationFields, baseUrl)} from organizations o where o.id = ${organizationId}`;
  if (row === undefined) throw new ServiceError("not_found", organizationGone);
  return Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<OrganizationDetails, Name>;
}

const listedPeople = 500;

/** The members of an organization, by name. */
export function listPeople(db: Queryable, organizationId: string): Promise<{ id: string; name: string }[]> {
  return db.query(sql`
    select u.id, u.name from members m join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} order by lower(u.name), u.id limit ${listedPeople}`);
}

export async function findOrganization(db: Queryable, by: { id: string } | { slug: string }) {
  const matches = "id" in by ? sql`id = ${by.id}` : sql`slug = ${by.slug}`;
  const [row] = await db.query<Pick<OrganizationDetails, "website_url" | "contact_email"> & NamedOrganization>(
    sql`select id, name, slug, website_url, contact_email from organizations where ${matches}`,
  );
  return row;
}

export type NamedOrganization = { id: string; name: string; slug: string };

export async function getOrganization(db: Queryable, id: string): Promise<NamedOrganization> {
  const [row] = await db.query<NamedOrganization>(sql`select id, name, slug from organizations where id = ${id}`);
  if (row === undefined) throw new ServiceError("not_found", `No organization has the id ${id}`);
  return row;
}

export const revertibleOrganizations: RevertibleTable = {
  name: "organizations",
  noun: "organization",
  nouns: "organizations",
  key: ["id"],
  label: ["name"],
  whole: ["name", "slug"],
  columns: { logo_url: "image", logo_dark_url: "image" },
  instead: {
    change: "update_organization_profile, update_organization_branding or set_organization_logo_urls",
    add: "the console",
    remove: "the console",
  },
};
