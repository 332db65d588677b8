import { z } from "zod";
import { lightness, parseColor } from "../../../contract/colors.js";
import { formatOf, type PosterTemplate } from "../../../contract/poster-designs.js";
import { callToAction, language, posterLink } from "../../../contract/schema/captions.js";
import { posterFormat, posterTemplate } from "../../../contract/schema/posters.js";
import type { EventMaterial } from "./material-store.js";
import { type DraftChoice, type DrawnPoster, defaultColors, logoBackgrounds, type PosterJob } from "./poster-job.js";
import { posterLanguage, wordsIn } from "./poster-words.js";
import type { PosterFacts } from "./rules.js";

export function posterJob(material: EventMaterial, choice: DraftChoice): PosterJob {
  const { organization, speakers } = material;
  const template = choice.template ?? templateFor(material);
  const title = choice.title ?? material.event_name;
  const primary_color = organization.primary_color ?? defaultColors.primary;
  const language = posterLanguage(choice.language, title) ?? "en";
  const { call_to_action, ...words } = wordsIn(language);
  return {
    template,
    format: choice.format,
    title,
    event_name: withoutTitle(material.event_name, title),
    conference_name: material.conference_name,
    when: whenLine(material.start_time, material.end_time, material.timezone, language),
    where: whereLine(material.venue, material.city),
    organization: { name: organization.name, logo_url: logoFor(template, organization, primary_color) },
    co_hosts: material.co_hosts,
    link:
      choice.link === undefined ? null : { url: choice.link, call_to_action: choice.call_to_action ?? call_to_action },
    words,
    primary_color,
    secondary_color: organization.secondary_color ?? defaultColors.secondary,
    speakers: speakers.map(({ id: _, ...speaker }) => speaker),
  };
}

export function templateFor({ speakers }: Pick<EventMaterial, "speakers">): PosterTemplate {
  return speakers.length === 0 ? "headline" : "lineup";
}

/** In local time: "Thu 1 May 2031 · 18:30–20:00", also for an event that ends by 06:00 the next morning. */
export function whenLine(start: string, end: string, timezone: string, language = "en"): string {
  const from = localTime(start, timezone, language);
  const to = localTime(end, timezone, language);
  const endsSameNight = Date.parse(end) - Date.parse(start) < dayMs && to.time <= "06:00";
  if (from.date === to.date || endsSameNight) return `${from.date} · ${from.time}–${to.time}`;
  const first = from.year === to.year ? from.day : from.date;
  return `${first}, ${from.time} – ${to.date}, ${to.time}`;
}

/** What the poster shows of the event: compared later with what the event has become. */
export function factsOf({
  event_name,
  start_time,
  end_time,
  timezone,
  venue,
  city,
  speakers,
}: EventMaterial): PosterFacts {
  const shown = speakers.map(({ id, name }) => ({ id, name }));
  return { name: event_name, start_time, end_time, timezone, venue, city, speakers: shown };
}

export function whereLine(venue: string | null, city: string): string {
  if (venue === null || venue.trim() === "") return city;
  return venue.toLowerCase().includes(city.toLowerCase()) ? venue : `${venue}, ${city}`;
}

/** What an event lacks for better posters, with the tool that adds it. */
export function materialGaps({ organization, speakers, speaker_count, venue }: EventMaterial): string[] {
  const withoutPhoto = speakers.filter(({ photo_url }) => photo_url === null);
  const gaps: [boolean, string][] = [
    [speaker_count === 0, "No speakers (add_event_speaker)"],
    [
      speaker_count > speakers.length,
      `${speaker_count - speakers.length} more speakers: a poster shows the first ${speakers.length}, or those in speaker_ids`,
    ],
    [
      withoutPhoto.length > 0,
      `No photo, initials are drawn: ${formatNames(withoutPhoto.map(({ name }) => name))} (update_event_speaker: photo_url)`,
    ],
    [
      organization.logo_url === null && organization.logo_dark_url === null,
      `No logo, the name is drawn: ${organization.name} (set_organization_logo_urls)`,
    ],
    [
      organization.primary_color === null || organization.secondary_color === null,
      `No brand colours, defaults are used: ${organization.name} (update_organization_branding)`,
    ],
    [venue === null, "No venue, the city is shown (update_event_details)"],
  ];
  return gaps.filter(([applies]) => applies).map(([, text]) => text);
}

/** What posting agents get in addition to the image. */
export type CaptionInput = {
  caption_ideas?: string[] | undefined;
  hashtags?: string[] | undefined;
  language?: string | undefined;
};

/** Describes the image to posting agents and screen readers. */
export function posterMetadata(
  job: PosterJob,
  { width, height }: Pick<DrawnPoster, "width" | "height">,
  captions: CaptionInput = {},
) {
  return {
    style: job.template,
    format: job.format,
    width,
    height,
    palette: { primary: job.primary_color, secondary: job.secondary_color },
    when: job.when,
    where: job.where,
    speakers: job.speakers.map(({ name, title, company, role }) => ({ name, title, company, role })),
    ...(job.co_hosts.length === 0 ? {} : { co_hosts: job.co_hosts }),
    ...(job.link === null ? {} : { link: job.link.url, call_to_action: job.link.call_to_action }),
    ...captionsOf(captions, job.title),
    alt_text: altText(job),
    generator: { name: generatorName, template: job.template },
  };
}

const generatorName = "event-platform poster renderer";

/** What of the metadata decides how a poster is drawn. Everything but the design can have been edited. */
const drawnMetadata = z.object({
  generator: z.object({ name: z.literal(generatorName) }),
  style: posterTemplate,
  format: posterFormat,
  language: language.optional().catch(undefined),
  link: posterLink.optional().catch(undefined),
  call_to_action: callToAction.optional().catch(undefined),
});

/** How a poster was drawn, to draw it again; undefined if this service did not draw it. */
export function drawnChoiceOf(metadata: unknown): (DraftChoice & { template: PosterTemplate }) | undefined {
  const { data } = drawnMetadata.safeParse(metadata);
  if (data === undefined) return undefined;
  const { style: template, format, language, link, call_to_action } = data;
  return { template, format, language, link, call_to_action };
}

/** The metadata of a poster that was drawn again: what describes the picture is new, and the rest, such as captions, stays. */
export function redrawnMetadata(
  { co_hosts: _, link: _link, call_to_action: _text, ...kept }: Record<string, unknown>,
  job: PosterJob,
  drawn: Pick<DrawnPoster, "width" | "height">,
  { language }: DraftChoice,
): Record<string, unknown> {
  return { ...kept, ...posterMetadata(job, drawn, { language }) };
}

/** The title on a poster that is drawn again: that of the event, if it was the event's. */
export function redrawnTitle(title: string | null, drawnFrom: PosterFacts | null, eventName: string): string | null {
  return title === drawnFrom?.name ? eventName : title;
}

/** The same of a poster that was made elsewhere: what is on it is not known. */
export function finishedPosterMetadata(
  { event_name, conference_name, organization }: EventMaterial,
  { width, height }: Pick<DrawnPoster, "width" | "height">,
  {
    title = event_name,
    alt_text,
    ...captions
  }: CaptionInput & { title?: string | undefined; alt_text?: string | undefined },
) {
  const format = formatOf({ width, height });
  return {
    ...(format === undefined ? {} : { format }),
    width,
    height,
    ...captionsOf(captions, title),
    alt_text: alt_text ?? `${subjectOf({ title, event_name, conference_name, organization })}.`,
  };
}

function captionsOf({ caption_ideas, hashtags, language }: CaptionInput, title: string) {
  const spoken = posterLanguage(language, title);
  return {
    ...(caption_ideas === undefined ? {} : { caption_ideas }),
    ...(hashtags === undefined ? {} : { hashtags }),
    ...(spoken === undefined ? {} : { language: spoken }),
  };
}

function altText({ when, where, speakers, ...job }: PosterJob): string {
  const names = speakers.map(({ name }) => name).filter((name) => name !== job.title);
  const speakerList = names.length === 0 ? "" : ` With ${formatNames(names)}.`;
  return `${subjectOf(job)}: ${when}, ${where}.${speakerList}`;
}

function subjectOf({
  title,
  event_name,
  conference_name,
  organization,
}: Pick<PosterJob, "title" | "event_name" | "conference_name"> & { organization: { name: string } }): string {
  const subject = title === event_name ? `“${title}”` : `“${title}”, part of “${event_name}”`;
  return `Poster of ${organization.name} for ${subject} at ${conference_name}`;
}

/** Removes a title that the event name repeats: "Opening Keynote: Software That Lasts" becomes "Opening Keynote". */
function withoutTitle(eventName: string, title: string): string {
  return eventName.endsWith(`: ${title}`) ? eventName.slice(0, -title.length - 2) : eventName;
}

/** Prefers the logo variant for the background behind it; the renderer keeps the other one legible too. */
function logoFor(
  template: PosterTemplate,
  { logo_url: forLight, logo_dark_url: forDark }: EventMaterial["organization"],
  primaryColor: string,
): string | null {
  const background = logoBackgrounds[template];
  const isDark = background === "dark" || (background === "brand" && lightness(parseColor(primaryColor)) < 0.6);
  return isDark ? (forDark ?? forLight) : (forLight ?? forDark);
}

const shownNames = 12;

function formatNames(names: string[]): string {
  const shown = names.length > shownNames ? names.slice(0, shownNames - 1) : names;
  const more = names.length - shown.length;
  return new Intl.ListFormat("en").format(more === 0 ? shown : [...shown, `${more} more`]);
}

const dayMs = 86_400_000;

function localTime(
  timestamp: string,
  timeZone: string,
  language: string,
): Record<"date" | "day" | "year" | "time", string> {
  const parts = (locale: string, options: Intl.DateTimeFormatOptions) => {
    // Years and digits that everybody reads alike, in every language.
    const format = new Intl.DateTimeFormat(locale, {
      ...options,
      timeZone,
      calendar: "gregory",
      numberingSystem: "latn",
    });
    const text = format.format(new Date(timestamp));
    const named = format.formatToParts(new Date(timestamp)).map(({ type, value }) => [type, value]);
    return { text, ...(Object.fromEntries(named) as Partial<Record<Intl.DateTimeFormatPartTypes, string>>) };
  };
  const { hour, minute } = parts("en-US", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const dayOptions = { weekday: "short", month: "short", day: "numeric" } as const;
  const time = `${hour}:${minute}`;
  if (language.startsWith("en")) {
    const { weekday, day, month, year = "" } = parts("en-US", { ...dayOptions, year: "numeric" });
    return { date: `${weekday} ${day} ${month} ${year}`, day: `${weekday} ${day} ${month}`, year, time };
  }
  const { text: date, year = "" } = parts(language, { ...dayOptions, year: "numeric" });
  return { date, day: parts(language, dayOptions).text, year, time };
}
