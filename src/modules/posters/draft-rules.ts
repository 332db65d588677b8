import { lightness, parseColor } from "../../poster-render/colors.js";
import type { PosterFormat, PosterTemplate } from "../../poster-render/poster-input.js";
import { defaultColors, logoBackgrounds } from "./designs.js";
import type { EventMaterial } from "./material-store.js";
import type { DrawnPoster, PosterJob } from "./poster-job.js";

export type DraftChoice = { template?: PosterTemplate | undefined; format: PosterFormat; title?: string | undefined };

export function posterJob(material: EventMaterial, choice: DraftChoice): PosterJob {
  const { organization, speakers } = material;
  const template = choice.template ?? templateFor(material);
  const title = choice.title ?? material.event_name;
  const primary_color = organization.primary_color ?? defaultColors.primary;
  return {
    template,
    format: choice.format,
    title,
    event_name: withoutTitle(material.event_name, title),
    conference_name: material.conference_name,
    when: whenLine(material.start_time, material.end_time, material.timezone),
    where: whereLine(material.venue, material.city),
    organization: { name: organization.name, logo_url: logoFor(template, organization, primary_color) },
    primary_color,
    secondary_color: organization.secondary_color ?? defaultColors.secondary,
    speakers: speakers.map(({ id: _, ...speaker }) => speaker),
  };
}

export function templateFor({ speakers }: Pick<EventMaterial, "speakers">): PosterTemplate {
  return speakers.length === 0 ? "headline" : "lineup";
}

/** In local time: "Thu 1 May 2031 · 18:30–20:00", also for an event that ends by 06:00 the next morning. */
export function whenLine(start: string, end: string, timezone: string): string {
  const from = localTime(start, timezone);
  const to = localTime(end, timezone);
  const endsSameNight = Date.parse(end) - Date.parse(start) < dayMs && to.time <= "06:00";
  if (from.date === to.date || endsSameNight) return `${from.day} ${from.year} · ${from.time}–${to.time}`;
  const first = from.year === to.year ? from.day : `${from.day} ${from.year}`;
  return `${first}, ${from.time} – ${to.day} ${to.year}, ${to.time}`;
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

/** Describes the image to posting agents and screen readers. */
export function posterMetadata(job: PosterJob, { width, height }: Pick<DrawnPoster, "width" | "height">) {
  return {
    style: job.template,
    format: job.format,
    width,
    height,
    palette: { primary: job.primary_color, secondary: job.secondary_color },
    when: job.when,
    where: job.where,
    speakers: job.speakers.map(({ name, title, company, role }) => ({ name, title, company, role })),
    alt_text: altText(job),
    generator: { name: "event-platform poster renderer", template: job.template },
  };
}

function altText({ title, event_name, conference_name, when, where, organization, speakers }: PosterJob): string {
  const names = speakers.map(({ name }) => name).filter((name) => name !== title);
  const subject = title === event_name ? `“${title}”` : `“${title}”, part of “${event_name}”`;
  const speakerList = names.length === 0 ? "" : ` With ${formatNames(names)}.`;
  return `Poster of ${organization.name} for ${subject} at ${conference_name}: ${when}, ${where}.${speakerList}`;
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

function localTime(timestamp: string, timeZone: string): { date: string; day: string; year: string; time: string } {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    weekday: "short",
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const parts = Object.fromEntries(format.formatToParts(new Date(timestamp)).map(({ type, value }) => [type, value]));
  const day = `${parts.weekday} ${parts.day} ${parts.month}`;
  return { date: `${day} ${parts.year}`, day, year: parts.year ?? "", time: `${parts.hour}:${parts.minute}` };
}
