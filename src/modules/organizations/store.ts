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

/** The named fields: what a change does not touch is not shown, a long description first of all. */
export async function getProfile(tx: Queryable, organizationId: string, names: string[]): Promise<Partial<Profile>> {
  const [row] = await tx.query<Profile>(sql`
    select name, description, website_url, contact_email, social_links from organizations where id = ${organizationId}`);
  if (row === undefined) throw new ServiceError("not_found", "Organization not found");
  return Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)));
}

/** Writes the given fields and leaves the others as they are stored. */
export async function saveProfile(tx: Queryable, organizationId: string, fields: Partial<Profile>): Promise<void> {
  await tx.query(sql`
    update organizations o set (name, description, website_url, contact_email, social_links) = (
      select n.name, n.description, n.website_url, n.contact_email, n.social_links
      from jsonb_populate_record(o, ${JSON.stringify(fields)}::jsonb) n)
    where o.id = ${organizationId}`);
}

export type Branding = { brand_primary_color: string | null; brand_secondary_color: string | null };

export async function getBranding(tx: Queryable, organizationId: string): Promise<Branding> {
  const [row] = await tx.query<Branding>(
    sql`select brand_primary_color, brand_secondary_color from organizations where id = ${organizationId}`,
  );
  if (row === undefined) throw new ServiceError("not_found", "Organization not found");
  return row;
}

export async function saveBranding(tx: Queryable, organizationId: string, branding: Branding): Promise<void> {
  await tx.query(sql`
    update organizations set
      brand_primary_color = ${branding.brand_primary_color}, brand_secondary_color = ${branding.brand_secondary_color}
    where id = ${organizationId}`);
}

export type Logos = { logo_url: string | null; logo_dark_url: string | null };

export async function getLogos(tx: Queryable, organizationId: string, baseUrl: string): Promise<Logos> {
  const [row] = await tx.query<Logos>(sql`
    select absolute_url(${baseUrl}, logo_url) as logo_url, absolute_url(${baseUrl}, logo_dark_url) as logo_dark_url
    from organizations where id = ${organizationId}`);
  if (row === undefined) throw new ServiceError("not_found", "Organization not found");
  return row;
}

/** Only what is given is written: what is stored as a path must not come back as an address. */
export async function saveLogos(tx: Queryable, organizationId: string, logos: Partial<Logos>): Promise<void> {
  const { logo_url: light, logo_dark_url: dark } = logos;
  await tx.query(sql`
    update organizations set
      logo_url = case when ${light !== undefined} then ${light ?? null} else logo_url end,
      logo_dark_url = case when ${dark !== undefined} then ${dark ?? null} else logo_dark_url end
    where id = ${organizationId}`);
}
