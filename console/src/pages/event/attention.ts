import { countOf } from "../../format/counts.ts";
import type { EventPage } from "./event-page.ts";

/** Something to do for this event: why, and the part of the event where it is done. */
export type Attention = {
  why: string;
  action: string;
  part: "guests" | "run-of-show" | "speakers" | "posters" | "";
  /** What is shown there. */
  search?: Record<string, string>;
};

const rules: { applies: (page: EventPage) => boolean; tell: (page: EventPage) => Attention }[] = [
  {
    applies: ({ guests }) => guests.pending > 0,
    tell: ({ guests }) => ({
      why: `${countOf(guests.pending, "guest waits", "guests wait")} for approval`,
      action: "Review guests",
      part: "guests",
      search: { state: "pending" },
    }),
  },
  {
    applies: ({ event, guests }) => event.capacity !== null && guests.approved > event.capacity,
    tell: ({ event, guests }) => ({
      why: `${countOf(guests.approved - (event.capacity ?? 0), "guest", "guests")} more than the capacity ${guests.approved - (event.capacity ?? 0) === 1 ? "is" : "are"} approved`,
      action: "Look at guests",
      part: "guests",
    }),
  },
  {
    applies: ({ posters }) => posters.drafts > 0,
    tell: ({ posters }) => ({
      why: `${countOf(posters.drafts, "poster is a draft", "posters are drafts")}: agents do not see drafts`,
      action: "Review posters",
      part: "posters",
    }),
  },
  {
    applies: ({ posters }) => posters.unposted > 0,
    tell: ({ posters }) => ({
      why: `${countOf(posters.unposted, "published poster has", "published posters have")} not been posted anywhere`,
      action: "Share posters",
      part: "posters",
    }),
  },
  {
    applies: ({ posters }) => posters.drafts + posters.published === 0,
    tell: () => ({ why: "There is no poster yet", action: "Draw a poster", part: "posters" }),
  },
  {
    applies: ({ speakers }) => speakers.all === 0,
    tell: () => ({ why: "There are no speakers yet", action: "Add speakers", part: "speakers" }),
  },
  {
    applies: ({ speakers }) => speakers.without_photo > 0,
    tell: ({ speakers }) => ({
      why: `${countOf(speakers.without_photo, "speaker has", "speakers have")} no photo: posters show initials`,
      action: "Add photos",
      part: "speakers",
    }),
  },
  {
    applies: ({ segments, event }) => segments > 0 && !event.run_of_show_published,
    tell: () => ({ why: "The run of show is not published", action: "Look at the run of show", part: "run-of-show" }),
  },
];

/** Nothing can be prepared for an event that is over. */
export function attentionOf(page: EventPage, now = Date.now()): Attention[] {
  if (Date.parse(page.event.end_time) < now) return [];
  return rules.filter(({ applies }) => applies(page)).map(({ tell }) => tell(page));
}
