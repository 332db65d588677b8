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

export type Profile = {
  name: string;
  description: string | null;
  website_url: string | null;
  contact_email: string | null;
  social_links: Record<string, string>;
};

export async function getProfile(tx: Queryable, organizationId: string): Promise<Profile> {
  const [row] = await tx.query<Profile>(sql`
    select name, description, website_url, contact_email, social_links from organizations where id = ${organizationId}`);
  if (row === undefined) throw new ServiceError("not_found", "Organization not found");
  return row;
}

export async function saveProfile(tx: Queryable, organizationId: string, profile: Profile): Promise<void> {
  await tx.query(sql`
    update organizations set
      name = ${profile.name}, description = ${profile.description}, website_url = ${profile.website_url},
      contact_email = ${profile.contact_email}, social_links = ${JSON.stringify(profile.social_links)}
    where id = ${organizationId}`);
}
