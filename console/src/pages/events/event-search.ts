import type { EventQuery } from "../../../../contract/console/organization.ts";
import { listedStatuses } from "../../../../contract/nouns.ts";
import { type EventSort, eventSorts } from "../../../../contract/orders.ts";
import { dayMovedBy } from "../../format/calendar.ts";
import { localZone } from "../../format/times.ts";
import { typedDate } from "../../format/typed-date.ts";
import { fromZonedInput } from "../../format/zoned-input.ts";

type Status = (typeof listedStatuses)[number];

/** The filters of the events, as they stand in the address. */
export type EventSearch = {
  view?: "calendar";
  /** Of the calendar: 2026-12. */
  month?: string;
  when?: When;
  /** With "dates": the first and the last day, as the clocks of this browser show them. */
  from?: string;
  until?: string;
  conference?: string;
  status?: Status;
  needs?: "me";
  sort?: EventSort;
};

/** What changes in the address; undefined is left out of it. */
export type EventChanges = { [Name in keyof EventSearch]?: EventSearch[Name] | undefined };

export const changedSearch = (search: EventSearch, changes: EventChanges): EventSearch =>
  defined({ ...search, ...changes });

type When = "week" | "month" | "past" | "dates" | "any";

/** Without `when`, events that are to come. `days` are those from now on. */
export const periods: { value: When | "upcoming"; label: string; days?: number }[] = [
  { value: "upcoming", label: "Upcoming" },
  { value: "week", label: "Next 7 days", days: 7 },
  { value: "month", label: "Next 30 days", days: 30 },
  { value: "past", label: "Past" },
  { value: "dates", label: "Between dates" },
  { value: "any", label: "Any date" },
];

const isOneOf = (values: readonly string[]) => (value: string) => values.includes(value);

export const isDay = (value: string) => typedDate.read(value) === value;

const checks: Record<keyof EventSearch, (value: string) => boolean> = {
  view: isOneOf(["calendar"]),
  month: (value) => /^20\d\d-(0[1-9]|1[0-2])$/.test(value),
  when: isOneOf(["week", "month", "past", "dates", "any"]),
  from: isDay,
  until: isDay,
  conference: (value) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value),
  status: isOneOf(listedStatuses),
  needs: isOneOf(["me"]),
  sort: isOneOf(eventSorts),
};

/** What is not a filter, or not valid, is left out. */
export function eventSearch(search: Record<string, unknown>): EventSearch {
  const given = Object.entries(checks).filter(([name, isValid]) => {
    const value = search[name];
    return typeof value === "string" && isValid(value);
  });
  return Object.fromEntries(given.map(([name]) => [name, search[name]]));
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** What the table asks for. Times are whole hours, so that the same question is asked for a while. */
export function tableQuery(search: EventSearch, now = Date.now()): EventQuery {
  const { when, sort, conference, status, needs } = search;
  const hasTense = when !== "any" && when !== "dates";
  return {
    ...(hasTense ? { when: when === "past" ? "past" : "upcoming" } : {}),
    ...defined({ conference, status, needs, ...boundsOf(search, now) }),
    sort: sort ?? (when === "past" ? "latest" : "earliest"),
  };
}

function boundsOf({ when, from, until }: EventSearch, now: number): Pick<EventQuery, "from" | "until"> {
  const days = periods.find(({ value }) => value === when)?.days;
  if (days !== undefined) return { until: new Date(Math.ceil(now / hourMs) * hourMs + days * dayMs).toISOString() };
  if (when !== "dates") return {};
  return defined({
    from: from === undefined ? undefined : startOfDay(from),
    until: until === undefined ? undefined : startOfDay(dayMovedBy(until, 1)),
  });
}

/** Where the clocks skip midnight, an hour later. */
const startOfDay = (day: string): string | undefined =>
  fromZonedInput(`${day}T00:00`, localZone()) ?? fromZonedInput(`${day}T01:00`, localZone());

/** What is found by the filters that the calendar has in common with the table. */
export const calendarQuery = ({ conference, status, needs }: EventSearch): EventQuery =>
  defined({ conference, status, needs });

function defined<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

/** Whether anything narrows down what is listed. */
export const isFiltered = ({ conference, status, needs, when }: EventSearch): boolean =>
  [conference, status, needs, when].some((value) => value !== undefined);
