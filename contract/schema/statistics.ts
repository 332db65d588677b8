import { z } from "zod";

/** The most days with registrations that are listed, and the most groups of each kind: the rest is one number. */
export const listedDays = 120;
export const listedGroups = 8;

/** The most events of a conference that are counted, the first by start. */
export const countedEvents = 1_000;

const count = z.int();

/** The largest groups; `value` is null for guests without one. */
const groups = z.object({ items: z.array(z.object({ value: z.string().nullable(), count })), other: count });

/** Numbers of an event, or of all events of a conference that the organization hosts. */
export const statistics = z.object({
  conference: z.object({ id: z.string(), name: z.string() }),
  timezone: z.string(),
  events: count,
  guests: z.object({ pending: count, approved: count, waitlisted: count, declined: count, checked_in: count }),
  /** Of the events that have started. */
  show_up: z.object({ events: count, approved: count, checked_in: count, rate: z.number().nullable() }),
  registrations: z.object({
    total: count,
    /** By the clocks of `timezone`, the first first; days without any are left out. */
    days: z.array(z.object({ day: z.string(), count })),
    /** Before those days. */
    earlier: count,
    by_ticket: groups,
    by_source: groups,
  }),
  posted_links: z.object({ total: count, by_network: groups }),
});

export type Statistics = z.output<typeof statistics>;
export type Groups = z.output<typeof groups>;
