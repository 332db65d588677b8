import type { EventDetails } from "../../../../contract/console/event.ts";
import type { Json } from "../../api/tools.ts";
import { isWebAddress, textOrNull } from "../../format/texts.ts";
import { fromZonedInput, toZonedInput } from "../../format/zoned-input.ts";

/** Optional fields of one line: the form has an empty text for null. */
const lines = ["venue", "venue_address", "luma_url", "tile_image_url"] as const;
type Lines = Record<(typeof lines)[number], string>;

/** The fields of update_event_details as the form has them: texts, times in the zone of the form. */
export type DetailsForm = Lines &
  Pick<EventDetails, "name" | "timezone" | "status" | "category" | "capacity"> & {
    start: string;
    end: string;
    tier: NonNullable<EventDetails["tier"]> | "none";
    description: string;
    /** Whether the run of show moves with the start. */
    movesShow: boolean;
  };

export const detailsLabels: Record<keyof DetailsForm, string> = {
  name: "Name",
  start: "Starts",
  end: "Ends",
  timezone: "Time zone",
  movesShow: "Move the run of show too",
  venue: "Venue",
  capacity: "Capacity",
  venue_address: "Venue address",
  description: "Description",
  status: "Status",
  category: "Category",
  tier: "Tier",
  luma_url: "Ticketing page",
  tile_image_url: "Tile image",
};

export const editableFields = [
  ...(["name", "start_time", "end_time", "timezone"] as const),
  ...lines,
  ...(["status", "category", "tier", "description", "capacity"] as const),
];

export const tiers: Record<DetailsForm["tier"], string> = {
  none: "No tier",
  headline: "Headline",
  vip: "VIP",
  community: "Community",
};

export const detailsDraft = (eventId: string): string => `event-details ${eventId}`;

/** What the forms of an event show, for its organizers and for administrators of the platform. */
type Edited = Pick<EventDetails, (typeof editableFields)[number]>;

export function detailsForm(event: Edited): DetailsForm {
  const { name, timezone, status, category, capacity } = event;
  return {
    name,
    timezone,
    status,
    category,
    capacity,
    start: toZonedInput(event.start_time, timezone),
    end: toZonedInput(event.end_time, timezone),
    tier: event.tier ?? "none",
    description: event.description ?? "",
    movesShow: false,
    ...ofLines((line) => event[line] ?? ""),
  };
}

function ofLines<Value>(value: (line: keyof Lines) => Value) {
  return Object.fromEntries(lines.map((line) => [line, value(line)])) as Record<keyof Lines, Value>;
}

export type FormProblems = Partial<Record<keyof DetailsForm, string>>;

const addressHelp = "Start with https://, for example https://example.com/event.";

/** What the person can see and fix before the service is asked. */
export function problemsOf(event: EventTimes, form: DetailsForm): FormProblems {
  const { start_time: start, end_time: end } = timesOf(event, form);
  const noTime = "Enter a day and a time that exist in this time zone.";
  const problems: FormProblems = {
    ...(form.name.trim() === "" ? { name: "An event needs a name." } : {}),
    ...(start === undefined ? { start: noTime } : {}),
    ...(end === undefined ? { end: noTime } : {}),
    ...(start !== undefined && end !== undefined && end <= start ? { end: "The event must end after it starts." } : {}),
    ...(isAddress(form.luma_url) ? {} : { luma_url: addressHelp }),
    ...(isAddress(form.tile_image_url) ? {} : { tile_image_url: addressHelp }),
  };
  return problems;
}

const isAddress = (text: string): boolean => text.trim() === "" || isWebAddress(text);

type EventTimes = Pick<EventDetails, "start_time" | "end_time">;

/**
 * The instants of the form. One that it shows as it is stays exact: a field has no seconds, and of an hour that the clocks repeat
 * it cannot say which of the two it is.
 */
function timesOf(event: EventTimes, { start, end, timezone }: DetailsForm) {
  const instant = (stored: string, shown: string) =>
    toZonedInput(stored, timezone) === shown ? stored : fromZonedInput(shown, timezone);
  return { start_time: instant(event.start_time, start), end_time: instant(event.end_time, end) };
}

/** What the form changes, as the arguments of the tool. A time counts as changed if its instant does. */
export function changedDetails(event: Edited, form: DetailsForm): Json {
  const wanted: Partial<Record<(typeof editableFields)[number], unknown>> = {
    name: form.name.trim(),
    ...timesOf(event, form),
    timezone: form.timezone,
    status: form.status,
    category: form.category,
    tier: form.tier === "none" ? null : form.tier,
    description: form.description.trim() === "" ? null : form.description,
    capacity: form.capacity,
    ...ofLines((line) => textOrNull(form[line])),
  };
  return Object.fromEntries(
    editableFields.filter((field) => event[field] !== wanted[field]).map((field) => [field, wanted[field]]),
  );
}
