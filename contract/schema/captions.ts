import { z } from "zod";
import { maximumCaption, maximumCaptions } from "../nouns.js";
import { atMost, isWebUrl, line, text } from "./fields.js";

/** Fields of posters that posting agents read, and that tools accept. */

const maximumHashtags = 30;
/** More would make the modules of the QR code too small to scan from a screen. */
const maximumLinkLength = 200;

const captionText = text(maximumCaption).refine((value) => value.trim() !== "", {
  error: "expected a string that is not blank",
});

export const captionIdeas = atMost(
  maximumCaptions,
  `expected at most ${maximumCaptions} captions`,
  z.array(captionText).max(maximumCaptions),
).meta({ description: "texts to post with it" });

const hashtag = z
  .string({ error: "expected a string" })
  .regex(/^#?[\p{L}\p{M}\p{N}_]{1,60}$/u, {
    error: "expected a hashtag of letters, digits and _, such as #MeridianLisbon",
  })
  .transform((tag) => (tag.startsWith("#") ? tag : `#${tag}`))
  // Not the whole rule: many validators know no classes of letters.
  .meta({ type: "string", maxLength: 61, pattern: "^#?[^\\s#:/.@-]+$" });

export const hashtags = atMost(
  maximumHashtags,
  `expected at most ${maximumHashtags} hashtags`,
  z.array(hashtag).max(maximumHashtags),
);

/** Longer names are reserved. */
const languagePattern = /^[A-Za-z]{2,3}(-|$)/;

export const language = z
  .string({ error: "expected a language tag" })
  .max(35)
  .refine(isLanguage, { error: "expected a BCP 47 language tag, such as en or pt-BR" })
  .transform((tag) => Intl.getCanonicalLocales(tag)[0] ?? tag)
  .meta({ type: "string", pattern: languagePattern.source, description: "BCP 47 tag, such as en" });

export const posterLink = z
  .string({ error: "expected a URL" })
  .refine((value) => value.length <= maximumLinkLength && isWebUrl(value), {
    error: `expected an absolute http or https URL of at most ${maximumLinkLength} characters: a longer one makes a QR code that is hard to scan`,
  })
  .meta({
    format: "uri",
    pattern: "^https?://[^\\s/]\\S*$",
    maxLength: maximumLinkLength,
    description: "drawn as a QR code",
  });

export const callToAction = line(40).meta({ description: "text next to the QR code; default: Scan to register" });

function isLanguage(tag: string): boolean {
  try {
    return languagePattern.test(tag) && Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
