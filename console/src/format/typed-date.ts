import { dayMovedBy, dayOf } from "./calendar.ts";
import { localZone } from "./times.ts";

/** Dates and times as people type them, and as the console shows them. */
export type Typed = {
  /** The value that a text stands for: "2026-12-08", "14:30". */
  read: (text: string) => string | undefined;
  show: (value: string) => string;
  /** What is accepted. */
  help: string;
};

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

const dateFormat = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

export const typedDate: Typed = {
  read: (text) => readDate(text),
  show: (value) => dateFormat.format(new Date(`${value}T00:00:00Z`)).replace(",", ""),
  help: "Enter a date, such as 8 Dec 2026 or 2026-12-08.",
};

/** Without a year, it is the current one. Of two numbers, the first is the day unless it cannot be. */
export function readDate(text: string, today = dayOf(Date.now(), localZone())): string | undefined {
  const words = text
    .trim()
    .toLowerCase()
    .replaceAll(/(\d)(st|nd|rd|th)\b/g, "$1");
  if (words === "today") return today;
  if (words === "tomorrow") return dayMovedBy(today, 1);
  const parts = words
    .replace(/^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+/, "")
    .split(/[\s,./-]+/)
    .filter((part) => part !== "");
  const [first = "", second = "", third = today.slice(0, 4)] = parts;
  if (parts.length < 2 || parts.length > 3) return undefined;
  if (/^\d{4}$/.test(first)) return dateFrom(first, second, third);
  if (/^[a-z]/.test(first)) return dateFrom(third, first, second);
  const isMonthFirst = Number(second) > 12;
  return isMonthFirst ? dateFrom(third, first, second) : dateFrom(third, second, first);
}

function dateFrom(year: string, month: string, day: string): string | undefined {
  const index = /^[a-z]{3,}$/.test(month) ? monthNamed(month) : Number(month);
  const full = year.length === 2 ? `20${year}` : year;
  if (!/^\d{4}$/.test(full) || !/^\d{1,2}$/.test(day) || !(index >= 1 && index <= 12)) return undefined;
  const date = `${full}-${String(index).padStart(2, "0")}-${day.padStart(2, "0")}`;
  const time = Date.parse(`${date}T00:00:00Z`);
  // 30 February would become a day of March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date) ? date : undefined;
}

const longMonths = Array.from({ length: 12 }, (_, index) =>
  new Date(Date.UTC(2026, index, 1)).toLocaleDateString("en-GB", { month: "long", timeZone: "UTC" }).toLowerCase(),
);

/** "sept" and "december" are as good as "sep" and "dec". */
const monthNamed = (word: string): number =>
  longMonths.some((name) => name.startsWith(word)) ? months.indexOf(word.slice(0, 3)) + 1 : 0;

export const typedTime: Typed = {
  read: readTime,
  show: (value) => value,
  help: "Enter a time, such as 14:30 or 2pm.",
};

function readTime(text: string): string | undefined {
  const match = /^(\d{1,2})(?:[:.h]?(\d{2}))?\s*(?:([ap])\.?m\.?)?$/.exec(text.trim().toLowerCase());
  if (match === null) return undefined;
  const [, hours = "", minutes = "00", half] = match;
  const hour = Number(hours);
  if (half !== undefined && (hour < 1 || hour > 12)) return undefined;
  const of24 = half === undefined ? hour : (hour % 12) + (half === "p" ? 12 : 0);
  if (of24 > 23 || Number(minutes) > 59) return undefined;
  return `${String(of24).padStart(2, "0")}:${minutes}`;
}
