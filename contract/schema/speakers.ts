import { z } from "zod";
import { maximumLine, maximumLinkName, maximumLinks, maximumLongText, maximumText, speakerRoles } from "../nouns.js";
import { atMost, imageUrl, label, line, text, uuid, webUrl } from "./fields.js";
import { nullableLine, rowInputsOf, toolInputsOf } from "./noun.js";

export const speakerRole = z.enum(speakerRoles);

const links = z.record(label(maximumLinkName), webUrl);

/** The editable fields of a speaker. */
export const speakerFields = {
  name: { output: z.string(), input: line(maximumLine) },
  title: nullableLine(maximumLine),
  company: nullableLine(maximumLine),
  // Shorter in tools than in an import, because a preview shows it up to five times.
  bio: {
    output: z.string().nullable(),
    input: text(maximumLongText).nullable(),
    toolInput: text(maximumText).nullable(),
  },
  photo_url: {
    output: z.string().nullable(),
    input: imageUrl.nullable(),
    // Tools take the address of an image that the service stores, an import its path.
    toolInput: webUrl.nullable(),
    column: "image",
  },
  links: {
    output: links,
    input: links,
    toolInput: atMost(maximumLinks, `expected at most ${maximumLinks} links`, links),
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
