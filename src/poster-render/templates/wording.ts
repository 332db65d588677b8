import { cleanGraphemes } from "../clean-text.js";
import type { FontFamily } from "../font-catalog.js";
import type { PosterSpeaker } from "../poster-input.js";
import { legibleText, type Stage } from "../stage.js";

/** The first of the headline's sources of which anything can be drawn. */
export function headlineOf(stage: Stage, family: FontFamily): string {
  const { title, event_name, conference_name, organization } = stage.material;
  const sources = [title, event_name, conference_name ?? "", organization.name];
  return sources.find((source) => isLegible(stage, source, family)) ?? "Save the date";
}

/** What stands above the headline: whatever of event and conference the headline does not say already. */
export function kickerOf(stage: Stage, headline: string): { event: string; conference: string } {
  const { event_name, conference_name } = stage.material;
  const said = (text: string) => text.trim().toLowerCase() === headline.trim().toLowerCase();
  const conference = conference_name && !said(conference_name) ? conference_name : "";
  const event = said(event_name) || event_name.trim() === conference.trim() ? "" : event_name;
  return { event, conference };
}

/** Speakers to show, and how many more there are: those beyond the limit and those whose name cannot be drawn. */
export function castOf(stage: Stage, limit: number): { shown: PosterSpeaker[]; more: number } {
  const named = stage.material.speakers.filter(({ name }) => cleanGraphemes(name, 1).length > 0);
  const shown = named.filter(({ name }) => isLegible(stage, name, "inter")).slice(0, limit);
  return { shown, more: named.length - shown.length };
}

export function positionOf({ title, company, role }: PosterSpeaker): string {
  const position = [title, company].filter((part) => part?.trim()).join(", ");
  const duty = { speaker: "", panelist: "", moderator: "Moderator", host: "Host" }[role];
  return [duty, position].filter((part) => part !== "").join(" · ");
}

export function isLegible(stage: Stage, text: string, family: FontFamily): boolean {
  return legibleText(stage, text, { family, weight: 600 }).units.length > 0;
}
