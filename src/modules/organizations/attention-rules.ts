import type { ExpiringKey } from "../../access/organization-keys.js";
import type { NamedOrganization } from "./store.js";

/** What the nearest upcoming events of an organization look like, as far as they may need somebody. */
export type UpcomingEvent = {
  id: string;
  name: string;
  start_time: string;
  timezone: string;
  capacity: number | null;
  run_of_show_published: boolean;
  pending: number;
  approved: number;
  waitlisted: number;
  drafts: number;
  unposted: number;
};

/** An event that another organization offers to hand over. */
export type ReceivedOffer = { event: EventReference; from: NamedOrganization; to: NamedOrganization };

type EventReference = Pick<UpcomingEvent, "id" | "name" | "start_time" | "timezone">;

/** One line of the list of what needs attention. The page has the words and the one action of each kind. */
export type AttentionLine =
  | { kind: "expiring_key"; key: ExpiringKey }
  | ({ kind: "host_offer" } & ReceivedOffer)
  | { kind: EventKind; event: EventReference; count: number };

export type EventKind = (typeof eventKinds)[number]["kind"];

/** How long before an event starts its run of show should be published. */
const runOfShowDays = 14;
export const shownLines = 40;
const dayMs = 24 * 60 * 60 * 1000;

/** In the order of urgency within one event. `count` is 0 if there is nothing to do. */
const eventKinds = [
  { kind: "pending_guests", count: ({ pending }) => pending },
  { kind: "over_capacity", count: ({ approved, capacity }) => Math.max(0, approved - (capacity ?? approved)) },
  {
    kind: "room_for_waitlist",
    count: ({ approved, waitlisted, capacity }) => Math.min(waitlisted, Math.max(0, (capacity ?? approved) - approved)),
  },
  {
    kind: "unpublished_run_of_show",
    count: ({ run_of_show_published, start_time }, now) =>
      !run_of_show_published && Date.parse(start_time) - now <= runOfShowDays * dayMs ? 1 : 0,
  },
  { kind: "unposted_posters", count: ({ unposted }) => unposted },
  { kind: "draft_posters", count: ({ drafts }) => drafts },
] as const satisfies { kind: string; count(event: UpcomingEvent, now: number): number }[];

/** Keys that stop working come first, then offers, then events in the order in which they start. */
export function attentionLines(
  events: UpcomingEvent[],
  keys: ExpiringKey[],
  offers: ReceivedOffer[],
  now: number,
): { lines: AttentionLine[]; in_all: number } {
  const lines: AttentionLine[] = [
    ...keys.map((key) => ({ kind: "expiring_key" as const, key })),
    ...offers.map((offer) => ({ kind: "host_offer" as const, ...offer })),
    ...events.flatMap((event) =>
      eventKinds.flatMap(({ kind, count }) => {
        const found = count(event, now);
        return found === 0 ? [] : [{ kind, event: referenceTo(event), count: found }];
      }),
    ),
  ];
  return { lines: lines.slice(0, shownLines), in_all: lines.length };
}

function referenceTo({ id, name, start_time, timezone }: UpcomingEvent): EventReference {
  return { id, name, start_time, timezone };
}
