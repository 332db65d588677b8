import { z } from "zod";
import { imageUrl, line, text, uuid, webUrl } from "../../schema/fields.js";

export const speakerRole = z.enum(["speaker", "moderator", "panelist", "host"]);

/** The editable fields of a speaker, with what each accepts. */
export const speakerFields = {
  name: line(200),
  title: line(200).nullable(),
  company: line(200).nullable(),
  bio: text(20_000).nullable(),
  photo_url: imageUrl.nullable(),
  links: z.record(line(64), webUrl),
  role: speakerRole,
};

/**
 * What tools take. A preview shows a long text up to five times: the biography is shorter here than in an import, so that
 * the answer stays readable. Photos of the service itself come from an import.
 */
export const speakerInput = {
  ...speakerFields,
  bio: text(4000).nullable(),
  photo_url: webUrl.nullable(),
  links: z.record(line(64), webUrl).refine((links) => Object.keys(links).length <= 20, {
    error: "expected at most 20 links",
  }),
};

export const speakerRow = z.strictObject({
  id: uuid.optional(),
  event: line(200),
  name: speakerFields.name,
  title: speakerFields.title.optional(),
  company: speakerFields.company.optional(),
  bio: speakerFields.bio.optional(),
  photo_url: speakerFields.photo_url.optional(),
  links: speakerFields.links.optional(),
  role: speakerFields.role.optional(),
});
