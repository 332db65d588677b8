import type {
  AttentionLine,
  Dashboard,
  DashboardEvent,
  ReceivedOffer,
} from "../../../contract/console/organization.js";
import type { ExpiringKey } from "../../access/organization-keys.js";

/** Of keys and offers, and of events: the page of events has the others. */
export const shownLines = 40;
export const shownEvents = 6;

/** Keys that stop working come first, then offers, then one line for each event, in the order in which they start. */
export function attentionLines(
  needy: DashboardEvent[],
  keys: ExpiringKey[],
  offers: ReceivedOffer[],
): Dashboard["attention"] {
  const urgent: AttentionLine[] = [
    ...keys.map((key) => ({ kind: "expiring_key" as const, key })),
    ...offers.map((offer) => ({ kind: "host_offer" as const, ...offer })),
  ];
  const ofEvents = needy.slice(0, shownEvents).map(({ id, name, start_time, timezone, needs }) => ({
    kind: "event" as const,
    event: { id, name, start_time, timezone },
    needs,
  }));
  return { lines: [...urgent.slice(0, shownLines), ...ofEvents], events: needy.length };
}
