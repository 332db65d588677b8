import { type Canvas, drawableText, type TextBoxOptions, typeset } from "../canvas.js";
import { cleanGraphemes } from "../clean-text.js";
import type { FontFamily } from "../font-catalog.js";
import type { PosterSpeaker } from "../poster-input.js";
import type { FittedText } from "../text-layout.js";

/** The first candidate that can be drawn. */
export function headlineOf(canvas: Canvas, family: FontFamily): string {
  const { title, event_name, conference_name, organization } = canvas.material;
  const candidates = [title, event_name, conference_name ?? "", organization.name];
  return candidates.find((candidate) => isDrawable(canvas, candidate, family)) ?? "Save the date";
}

/** The event and conference names above the headline, without what the headline already says. */
export function kickerOf(canvas: Canvas, headline: string): { event: string; conference: string } {
  const { event_name, conference_name } = canvas.material;
  const isHeadline = (text: string) => text.trim().toLowerCase() === headline.trim().toLowerCase();
  const conference = conference_name && !isHeadline(conference_name) ? conference_name : "";
  const event = isHeadline(event_name) || event_name.trim() === conference.trim() ? "" : event_name;
  return { event, conference };
}

export function kickerLine(canvas: Canvas, headline: string): string {
  const { event, conference } = kickerOf(canvas, headline);
  return [conference, event].filter((part) => part !== "").join(" · ");
}

/** Speakers to show, and how many more there are: beyond the limit, or with a name that cannot be drawn. */
export function selectSpeakers(canvas: Canvas, limit: number): { shown: PosterSpeaker[]; more: number } {
  const named = canvas.material.speakers.filter(({ name }) => cleanGraphemes(name, 1).length > 0);
  const shown = named.filter(({ name }) => isDrawable(canvas, name, "inter")).slice(0, limit);
  return { shown, more: named.length - shown.length };
}

/** What to say about a speaker, longest first: with title and company, with one of them, or only the role. */
export function positionsOf(canvas: Canvas, { title, company, role }: PosterSpeaker): string[] {
  const { words } = canvas.material;
  const label = { speaker: "", panelist: "", moderator: words.moderator, host: words.host }[role];
  const parts = [title?.trim() ?? "", company?.trim() ?? ""].filter((part) => part !== "");
  const details = parts.length === 2 ? [parts.join(", "), ...parts.toReversed(), ""] : [...parts, ""];
  return details.map((detail) => [label, detail].filter((part) => part !== "").join(" · "));
}

/** The first position of the speaker that fits into the box; undefined if there is none to show. */
export function fitPosition(canvas: Canvas, speaker: PosterSpeaker, box: TextBoxOptions): FittedText | undefined {
  for (const position of positionsOf(canvas, speaker)) {
    if (position === "") continue;
    const fitted = typeset(canvas, position, { family: "inter", weight: 500 }, box);
    const whole = fitted.lines.length <= (box.lines ?? 1) && fitted.height <= (box.height ?? Number.POSITIVE_INFINITY);
    if (whole && !isShortened(fitted)) return fitted;
  }
  return undefined;
}

export function isShortened({ lines }: FittedText): boolean {
  return lines.at(-1)?.at(-1)?.text === "…";
}

/** Names in a row, the last ones as a count if there are more than the limit. */
export function nameList(canvas: Canvas, names: string[], limit: number): string {
  const shown = names.length > limit ? names.slice(0, limit - 1) : names;
  const more = names.length - shown.length;
  return shown.join(", ") + (more > 0 ? ` ${moreOf(canvas, more)}` : "");
}

export function moreOf({ material }: Canvas, count: number): string {
  return `+${count} ${material.words.more}`;
}

function isDrawable(canvas: Canvas, text: string, family: FontFamily): boolean {
  return drawableText(canvas, text, { family, weight: 600 }).units.length > 0;
}
