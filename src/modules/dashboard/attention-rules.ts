import { type ListedFacts, listedAttentionOf } from "../../../contract/attention.js";
import type { AttentionLine, ReceivedOffer } from "../../../contract/console/organization.js";
import type { EventReference } from "../../../contract/console/parts.js";
import type { ExpiringKey } from "../../access/organization-keys.js";

/** One of the nearest upcoming events of an organization. */
export type UpcomingEvent = EventReference & ListedFacts;

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
