import type { DashboardEvent } from "../../../../contract/console/organization.ts";

export type EventGroup = { conference: DashboardEvent["conference"]; events: DashboardEvent[] };

/** The list is in the order of conferences: each is one group, whatever the pages are. */
export function groupByConference(events: DashboardEvent[]): EventGroup[] {
  const groups: EventGroup[] = [];
  for (const event of events) {
    const last = groups.at(-1);
    if (last?.conference.id === event.conference.id) last.events.push(event);
    else groups.push({ conference: event.conference, events: [event] });
  }
  return groups;
}
