import type { ConferenceDetails } from "../../../../contract/console/admin.ts";
import { maximumShortName } from "../../../../contract/nouns.ts";
import { changedFields } from "../../change/changed-fields.ts";
import { type Problems, required } from "../../drafts/use-draft.ts";
import { typedDate } from "../../format/typed-date.ts";
import { slugOf, slugProblem } from "./slug.ts";

/** A conference as the form has it. */
export type ConferenceDraft = {
  name: string;
  short_name: string;
  slug: string;
  city: string;
  timezone: string | null;
  start_date: string;
  end_date: string;
  category: string;
  description: string;
  banner_thumbnail_url: string;
};

export const conferenceLabels: Record<keyof ConferenceDraft, string> = {
  name: "Name",
  short_name: "Short name",
  slug: "Slug",
  city: "City",
  timezone: "Time zone",
  start_date: "First day",
  end_date: "Last day",
  category: "Category",
  description: "Description",
  banner_thumbnail_url: "Banner",
};

export const newConference: ConferenceDraft = {
  name: "",
  short_name: "",
  slug: "",
  city: "",
  timezone: null,
  start_date: "",
  end_date: "",
  category: "mainline",
  description: "",
  banner_thumbnail_url: "",
};

/** A new one starts empty. */
export function conferenceDraft(conference: ConferenceDetails | undefined): ConferenceDraft {
  const names = Object.keys(newConference) as (keyof ConferenceDraft)[];
  return Object.fromEntries(names.map((name) => [name, conference?.[name] ?? newConference[name]])) as ConferenceDraft;
}

export function conferenceProblems(draft: ConferenceDraft): Problems<ConferenceDraft> {
  return {
    name: required(draft.name, "a name"),
    short_name: required(draft.short_name, "a short name"),
    slug: slugProblem(draft.slug),
    city: required(draft.city, "a city"),
    timezone: required(draft.timezone, "a time zone"),
    start_date: required(draft.start_date, "the first day") ?? unread(draft.start_date),
    end_date:
      required(draft.end_date, "the last day") ??
      unread(draft.end_date) ??
      (draft.end_date < draft.start_date ? "The last day is before the first" : undefined),
    description: required(draft.description, "a description"),
  };
}

const unread = (day: string): string | undefined => (typedDate.read(day) === day ? undefined : typedDate.help);

export function conferenceArgs(draft: ConferenceDraft): Record<string, unknown> {
  return { ...draft, banner_thumbnail_url: draft.banner_thumbnail_url === "" ? null : draft.banner_thumbnail_url };
}

/** What was edited. The slug cannot be changed. */
export function changedConferenceArgs(before: ConferenceDraft, draft: ConferenceDraft): Record<string, unknown> {
  const { slug: _, ...changed } = changedFields(conferenceArgs(before), conferenceArgs(draft));
  return changed;
}

/** The short name and the slug follow the name of a new conference until they are typed by hand. */
export function withName(draft: ConferenceDraft, name: string): ConferenceDraft {
  return {
    ...draft,
    name,
    ...(draft.slug === slugOf(draft.name) ? { slug: slugOf(name) } : {}),
    ...(draft.short_name === draft.name.slice(0, maximumShortName)
      ? { short_name: name.slice(0, maximumShortName) }
      : {}),
  };
}
