import { z } from "zod";
import { maximumText, speakerRoles } from "../nouns.js";
import { atMost, imageUrl, label, line, text, uuid, webUrl } from "./fields.js";
import { nullableLine, rowInputsOf, toolInputsOf } from "./noun.js";

export const speakerRole = z.enum(speakerRoles);

const links = z.record(label(64), webUrl);

/** The editable fields of a speaker. */
export const speakerFields = {
  name: { output: z.string(), input: line(200) },
  title: nullableLine(200),
  company: nullableLine(200),
  // Shorter in tools than in an import, because a preview shows it up to five times.
  bio: { output: z.string().nullable(), input: text(20_000).nullable(), toolInput: text(maximumText).nullable() },
  photo_url: {
    output: z.string().nullable(),
    input: imageUrl.nullable(),
    // Only an import may refer to images that the service stores itself.
    toolInput: webUrl.nullable(),
    column: "image",
  },
  links: {
    output: links,
    input: links,
    toolInput: atMost(20, "expected at most 20 links", links),
  },
  role: { output: speakerRole, input: speakerRole },
} as const;

/** What tools accept for each field. */
export const speakerInput = toolInputsOf(speakerFields);

const { links: _, role: __, ...otherFields } = speakerFields;

export const speakerRow = z.strictObject({
  id: uuid.optional(),
  event: line(200),
  ...rowInputsOf(otherFields),
  links: links.optional(),
  role: speakerRole.optional(),
});
