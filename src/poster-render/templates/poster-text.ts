import { type Canvas, drawableText } from "../canvas.js";
import { cleanGraphemes } from "../clean-text.js";
import type { FontFamily } from "../font-catalog.js";
import type { PosterSpeaker } from "../poster-input.js";

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

export function positionOf({ title, company, role }: PosterSpeaker): string {
  const position = [title, company].filter((part) => part?.trim()).join(", ");
  const roleLabel = { speaker: "", panelist: "", moderator: "Moderator", host: "Host" }[role];
  return [roleLabel, position].filter((part) => part !== "").join(" · ");
}

function isDrawable(canvas: Canvas, text: string, family: FontFamily): boolean {
  return drawableText(canvas, text, { family, weight: 600 }).units.length > 0;
}
