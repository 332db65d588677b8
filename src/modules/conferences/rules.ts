import { fieldError } from "../../../contract/errors.js";

/** A conference ends on the day on which it starts, or later. */
export function requireDates<Dates extends { start_date: string; end_date: string }>(conference: Dates): Dates {
  const { start_date: start, end_date: end } = conference;
  if (end < start) throw fieldError("end_date", `expected ${start}, the first day, or later, not ${end}`);
  return conference;
}
