import { type Attention, type ListedFacts, type ListedKind, listedAttentionOf } from "../../../contract/attention.js";
import type { ExpiringKey } from "../../access/organization-keys.js";
import type { NamedOrganization } from "./store.js";

/** One of the nearest upcoming events of an organization. */
export type UpcomingEvent = EventReference & ListedFacts;

/** An event that another organization offers to hand over. */
export type ReceivedOffer = { event: EventReference; from: NamedOrganization; to: NamedOrganization };

type EventReference = { id: string; name: string; start_time: string; timezone: string };

/** One line of the list of what needs attention. The page has the words and the one action of each kind. */
export type AttentionLine =
  | { kind: "expiring_key"; key: ExpiringKey }
  | ({ kind: "host_offer" } & ReceivedOffer)
  | (Attention<ListedKind> & { event: EventReference });

export const shownLines = 40;

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
      listedAttentionOf(event, now).map((attention) => ({ ...attention, event: referenceTo(event) })),
    ),
  ];
  return { lines: lines.slice(0, shownLines), in_all: lines.length };
}

function referenceTo({ id, name, start_time, timezone }: UpcomingEvent): EventReference {
  return { id, name, start_time, timezone };
}
