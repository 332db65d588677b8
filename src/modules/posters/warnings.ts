import type { Warning } from "../../../contract/warnings.js";
import type { PosterUse } from "./asset-store.js";
import { hasStaleSpeaker, type PosterFacts, type StalePart, speakersNamed, stalePartsOf, titlesOf } from "./rules.js";
import type { PostersOfEvent, PublishedPoster } from "./store.js";

/** Published posters that show what a change to the event or its speakers replaces. */
export function stalePosterWarnings(
  posters: PostersOfEvent | undefined,
  change: (facts: PosterFacts) => Partial<PosterFacts>,
): Warning[] {
  if (posters === undefined) return [];
  const { facts, published } = posters;
  const next = { ...facts, ...change(facts) };
  const replaced = stalePartsOf(facts, next);
  const staleParts = (poster: PublishedPoster): StalePart[] => {
    if (poster.drawn_from !== null)
      return stalePartsOf(poster.drawn_from, next).filter((part) => replaced.includes(part));
    return hasStaleSpeaker(speakersNamed(poster, facts.speakers), next) ? ["speakers"] : [];
  };
  const stale = published.filter((poster) => staleParts(poster).length > 0);
  if (stale.length === 0) return [];
  const parts = replaced.filter((part) => stale.some((poster) => staleParts(poster).includes(part)));
  const subject = stale.length === 1 ? "A published poster shows" : `${stale.length} published posters show`;
  const advice = "Redraw them, or unpublish them";
  return [{ code: "poster_stale", message: `${subject} the old ${parts.join(", ")}: ${titlesOf(stale)}. ${advice}` }];
}

export function publicationWarnings(published: boolean, { posted_on, drawn_from, facts }: PosterUse): Warning[] {
  const path = "poster.published";
  if (published) {
    const parts = stalePartsOf(drawn_from, facts);
    const message = `The poster shows an old ${parts.join(", ")}. Redraw it first, or publish it as it is`;
    return parts.length === 0 ? [] : [{ code: "poster_stale", message, path }];
  }
  const message = `The poster was posted on ${posted_on.join(", ")}: what was posted stays there`;
  return posted_on.length === 0 ? [] : [{ code: "poster_was_posted", message, path }];
}
