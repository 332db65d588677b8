import type { ConferenceSlug } from "./conferences.js";
import type { EventSeed } from "./event-seed.js";
import { kyotoEvents } from "./kyoto-events.js";
import { meridianEveningEvents } from "./meridian-evening-events.js";
import { meridianEventsDays1And2 } from "./meridian-events-days-1-2.js";
import { meridianEventsDays3And4 } from "./meridian-events-days-3-4.js";
import { montrealEvents } from "./montreal-events.js";

export type ConferenceEvent = EventSeed & { conference: ConferenceSlug };

export const events: readonly ConferenceEvent[] = [
  ...of("meridian-lisbon", [...meridianEventsDays1And2, ...meridianEveningEvents, ...meridianEventsDays3And4]),
  ...of("open-commons-montreal", montrealEvents),
  ...of("kyoto-systems-summit", kyotoEvents),
];

export function getEventSeed(key: string): ConferenceEvent {
  const event = events.find((candidate) => candidate.key === key);
  if (!event) throw new Error(`The demo has no event with the key ${key}`);
  return event;
}

function of(conference: ConferenceSlug, seeds: readonly EventSeed[]): ConferenceEvent[] {
  return seeds.map((seed) => ({ ...seed, conference }));
}
