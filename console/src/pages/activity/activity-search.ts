import { type RecordVia, recordVias } from "../../../../contract/nouns.ts";

/** The filters of the activity, as they stand in the address. */
export type ActivitySearch = {
  text?: string;
  person?: string;
  key?: string;
  app?: string;
  tool?: string;
  via?: RecordVia;
  since?: string;
  until?: string;
  /** Only on the page of the organization: the tab of an event has its own. */
  event?: string;
};

const vias: readonly string[] = recordVias;

/** What is not a filter, or not valid, is left out. */
export function activitySearch(search: Record<string, unknown>): ActivitySearch {
  const checks: Record<keyof ActivitySearch, (value: string) => boolean> = {
    text: (value) => value.trim() !== "" && value.length <= 200,
    person: isId,
    key: isId,
    app: isId,
    tool: (value) => value.length <= 100,
    via: (value) => vias.includes(value),
    since: isTime,
    until: isTime,
    event: isId,
  };
  // The router reads a text of digits as a number.
  const given = Object.entries(checks).map(([name, isValid]) => {
    const value = typeof search[name] === "number" ? String(search[name]) : search[name];
    return [name, typeof value === "string" && value !== "" && isValid(value) ? value : undefined] as const;
  });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

const isId = (value: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
const isTime = (value: string) => /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value));

const dayMs = 24 * 60 * 60 * 1000;

export const periods = [
  { value: "any", label: "Any time", days: null },
  { value: "day", label: "Last 24 hours", days: 1 },
  { value: "week", label: "Last 7 days", days: 7 },
  { value: "month", label: "Last 30 days", days: 30 },
] as const;

export type Period = (typeof periods)[number]["value"];

/** The start of a period, to the minute, so that the address and its results stay the same for a while. */
export function startOf(period: Period, now = Date.now()): string | undefined {
  const days = periods.find(({ value }) => value === period)?.days ?? null;
  return days === null ? undefined : new Date(Math.floor((now - days * dayMs) / 60_000) * 60_000).toISOString();
}
