import { z } from "zod";
import { roles } from "../../access/roles.js";
import { color, email, imageUrl, line, slug, text, uuid, webUrl } from "../../schema/fields.js";

export const memberRole = z.enum(roles);

/** The editable fields of an organization, with what each accepts. */
export const organizationFields = {
  name: line(200),
  description: text(20_000).nullable(),
  website_url: webUrl.nullable(),
  contact_email: email.nullable(),
  social_links: z.record(line(64), webUrl),
  logo_url: imageUrl.nullable(),
  logo_dark_url: imageUrl.nullable(),
  brand_primary_color: color.nullable(),
  brand_secondary_color: color.nullable(),
};

/**
 * What tools take: a preview shows a text up to five times, so that texts are shorter here than in an import. Logos of
 * the service itself come from an import.
 */
export const organizationInput = {
  ...organizationFields,
  description: text(4000).nullable(),
  social_links: z.record(line(64), webUrl).refine((links) => Object.keys(links).length <= 20, {
    error: "expected at most 20 links",
  }),
  logo_url: webUrl.nullable(),
  logo_dark_url: webUrl.nullable(),
};

export const organizationRow = z.strictObject({
  id: uuid.optional(),
  name: organizationFields.name,
  slug,
  description: organizationFields.description.optional(),
  website_url: organizationFields.website_url.optional(),
  contact_email: organizationFields.contact_email.optional(),
  social_links: organizationFields.social_links.optional(),
  logo_url: organizationFields.logo_url.optional(),
  logo_dark_url: organizationFields.logo_dark_url.optional(),
  brand_primary_color: organizationFields.brand_primary_color.optional(),
  brand_secondary_color: organizationFields.brand_secondary_color.optional(),
  members: z.array(z.strictObject({ email, role: memberRole })).optional(),
});
