import { z } from "zod";
import { maximumLine, maximumLinkName, maximumLinks, maximumLongText, maximumText } from "../nouns.js";
import { roles } from "../roles.js";
import { atMost, color, email, imageUrl, label, line, slug, text, uuid, webUrl } from "./fields.js";
import { outputsOf, rowInputsOf, toolInputsOf } from "./noun.js";

export const memberRole = z.enum(roles);

const logo = {
  output: z.string().nullable(),
  input: imageUrl.nullable(),
  // Tools take the address of an image that the service stores, an import its path.
  toolInput: webUrl.nullable(),
  column: "image",
} as const;
const brandColor = { output: z.string().nullable(), input: color.nullable() };
const links = z.record(label(maximumLinkName), webUrl);

/** The editable fields of an organization. */
export const organizationFields = {
  name: { output: z.string(), input: line(maximumLine) },
  // Shorter in tools than in an import, because a preview shows it up to five times.
  description: {
    output: z.string().nullable(),
    input: text(maximumLongText).nullable(),
    toolInput: text(maximumText).nullable(),
  },
  website_url: { output: z.string().nullable(), input: webUrl.nullable() },
  contact_email: { output: z.string().nullable(), input: email.nullable() },
  social_links: {
    output: links,
    input: links,
    toolInput: atMost(maximumLinks, `expected at most ${maximumLinks} links`, links),
  },
  logo_url: logo,
  logo_dark_url: logo,
  brand_primary_color: brandColor,
  brand_secondary_color: brandColor,
} as const;

/** What tools accept for each field. */
export const organizationInput = toolInputsOf(organizationFields);

const { social_links: _, ...otherFields } = organizationFields;

export const organizationRow = z.strictObject({
  id: uuid.optional(),
  slug,
  ...rowInputsOf(otherFields),
  social_links: links.optional(),
  members: z.array(z.strictObject({ email, role: memberRole })).optional(),
});

/** An organization as its members read it. */
export const organizationProfile = z.object({ id: uuid, slug: z.string(), ...outputsOf(organizationFields) });
