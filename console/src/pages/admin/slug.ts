import { asciiSlug } from "../../../../contract/ascii-slug.ts";
import { maximumSlug, slugPattern } from "../../../../contract/nouns.ts";
import { required } from "../../drafts/use-draft.ts";
import { folded } from "../../format/folded.ts";

/** "Open Web Days 2027" → "open-web-days-2027". */
export function slugOf(name: string): string {
  return asciiSlug(folded(name), maximumSlug);
}

export const slugProblem = (slug: string): string | undefined =>
  required(slug, "a slug") ??
  (slugPattern.test(slug) ? undefined : "Use lower-case letters, digits and single hyphens, such as open-web-days");
