import { z } from "zod";
import { maximumUrl } from "../nouns.js";
import { type PosterFormat, posterFormats, posterTemplates } from "../poster-designs.js";
import { captionIdeas, hashtags, language } from "./captions.js";
import { isTidy, isVisible } from "./characters.js";
import { atMost, imageUrl, integer, isWebUrl, jsonObject, line, timestamp, uuid } from "./fields.js";

export const posterTemplate = z.enum(posterTemplates);
export const posterFormat = z.enum(Object.keys(posterFormats) as [PosterFormat, ...PosterFormat[]]);

export const maximumPlatforms = 50;
/** More than a poster has, because null for a platform that it lacks is accepted. */
const maximumPatchEntries = 500;
const reservedNames = new Set(["__proto__", "constructor", "prototype"]);

/** The name of a platform as it is stored. */
export function platformNameOf(name: string): string {
  return name.trim().normalize("NFC");
}

/** What platforms are compared by. Queries compare `lower(platform)`, which looks at each character by itself. */
export function platformKey(name: string): string {
  const lower = (character: string) => {
    const folded = character.toLowerCase();
    return [...folded].length === 1 ? folded : character;
  };
  return [...platformNameOf(name)].map(lower).join("");
}

const platformName = z
  .string()
  .refine(
    (name) => {
      const { length } = [...platformNameOf(name)];
      return length >= 1 && length <= 64 && !/\p{Cc}/u.test(name) && name.isWellFormed();
    },
    { error: "expected a platform name of 1 to 64 characters without control characters" },
  )
  .refine((name) => !reservedNames.has(platformKey(name)), {
    error: "expected another platform name: this one is reserved",
  });

/** A link whose name is not tidy can only be removed: it was stored before the rule. */
function checkNames(urls: Record<string, string | null>, context: z.RefinementCtx): void {
  const seen = new Set<string>();
  for (const [name, url] of Object.entries(urls)) {
    const issue = (message: string) => context.addIssue({ code: "custom", path: [name], message });
    if (url !== null && !(isTidy(name) && isVisible(name))) issue(untidyName);
    if (seen.has(platformKey(name))) issue(sameName);
    seen.add(platformKey(name));
  }
}

/** Null if there are no links, as after the last one was removed. */
function trimmedNames(urls: Record<string, string>): Record<string, string> | null {
  const links = Object.entries(urls).map(([name, url]) => [platformNameOf(name), url]);
  return links.length === 0 ? null : Object.fromEntries(links);
}

const sameName = "expected each platform once: names are compared without case and surrounding spaces";

const untidyName = "expected a platform name that can be seen, without direction and invisible characters";

/** A link is shown to everybody who sees the poster. */
function isPublicUrl(value: string): boolean {
  if (!isWebUrl(value)) return false;
  const { username, password } = new URL(value);
  return username === "" && password === "";
}

const linkExpected = `expected an absolute http or https URL of at most ${maximumUrl} characters, without a user name or password`;

function linkOr(otherwise: string) {
  const error = linkExpected + otherwise;
  return z.string({ error }).refine(isPublicUrl, { error });
}

const link = linkOr("");
const linkOrNull = linkOr(", or null to remove it").nullable().meta({ format: "uri" });

/** RFC 7396: a platform with a URL is added or replaced, one with null is removed, all others stay. */
export const postedUrlsPatch = atMost(
  maximumPatchEntries,
  `expected at most ${maximumPatchEntries} platforms`,
  z
    .record(platformName, linkOrNull, {
      error: (issue) =>
        issue.input === undefined
          ? 'is required: an object that maps platform names to URLs, such as {"x": "https://x.example/1"}'
          : "expected an object that maps platform names to URLs",
    })
    .superRefine(checkNames),
).meta({
  description: `Platform name to URL. Merged by platform (RFC 7396): null removes one. At most ${maximumPlatforms} platforms`,
  example: { instagram: "https://social.example.com/p/1" },
});

export const posterPatch = z.object({ posted_urls: postedUrlsPatch }).meta({ id: "PosterPatch" });

export const poster = z
  .object({
    id: uuid,
    event_id: uuid.meta({ description: "event the poster belongs to" }),
    conference_id: uuid.nullable().meta({ description: "conference of that event" }),
    image_url: z.string().meta({ description: "full-resolution image URL" }),
    thumbnail_url: z.string().nullable().meta({ description: "smaller image URL" }),
    title: z.string().nullable().meta({ description: "event name or featured speaker name" }),
    published: z.boolean().meta({ description: "true when published and visible to attendees" }),
    sort_order: z.number().meta({ description: "display order" }),
    metadata: z.record(z.string(), z.unknown()).meta({
      description: "free-form JSON: may hold poster style, speakers, generation details",
    }),
    posted_urls: z.record(z.string(), z.string()).nullable().meta({
      description: "map of platform name to URL, set after social sharing",
    }),
    created_at: timestamp,
  })
  .meta({ id: "Poster" });

/** The filters of poster lists. */
export const posterFilters = {
  event_id: uuid.optional().meta({ description: "only posters of this event" }),
  conference_id: uuid.optional().meta({ description: "only posters of events of this conference" }),
  published: z
    .enum(["true", "false"], { error: "expected true or false" })
    .transform((text) => text === "true")
    .optional()
    .meta({ type: "boolean", description: "if omitted, published and unpublished ones" }),
};

/** Merged by name: null removes an entry, what is not named stays. The entries that posting agents read are checked. */
export const metadataPatch = jsonObject
  .pipe(
    z.looseObject({
      caption_ideas: captionIdeas.nullable().exactOptional(),
      hashtags: hashtags.nullable().exactOptional(),
      language: language.nullable().exactOptional(),
    }),
  )
  .meta({ description: "merged by name; null removes an entry" });

export const sortOrder = integer(-1_000_000, 1_000_000).meta({ description: "lower comes first" });

export const posterRow = z.strictObject({
  id: uuid.optional(),
  event: line(200),
  image_url: imageUrl,
  thumbnail_url: imageUrl.nullable().optional(),
  title: line(300).nullable().optional(),
  published: z.boolean().optional(),
  sort_order: z.number().optional(),
  metadata: jsonObject.optional(),
  posted_urls: z
    .record(platformName, link)
    .superRefine(checkNames)
    .refine((urls) => Object.keys(urls).length <= maximumPlatforms, {
      error: `expected at most ${maximumPlatforms} platforms`,
    })
    .transform(trimmedNames)
    .nullable()
    .optional(),
  created_at: timestamp.optional(),
});

const uses = { use: z.string() };

/** The posters of an event, and what a new one can look like and would show. */
export const assetWorkspace = z.object({
  posters: z.array(z.looseObject({ id: z.string(), published: z.boolean(), image_url: z.string() })),
  more_posters: z.number(),
  templates: z.array(z.object({ name: posterTemplate, ...uses })),
  formats: z.array(z.object({ name: posterFormat, width: z.int(), height: z.int(), ...uses })),
  material: z.looseObject({
    title: z.string(),
    template: posterTemplate,
    organization: z.looseObject({
      name: z.string(),
      primary_color: z.string().nullable(),
      secondary_color: z.string().nullable(),
    }),
    speakers: z.array(z.looseObject({})),
  }),
  missing: z.array(z.string()),
});
