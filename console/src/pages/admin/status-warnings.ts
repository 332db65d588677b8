import type { AdminEventDetails, ConferenceDetails } from "../../../../contract/console/admin.ts";
import type { Status } from "../../../../contract/nouns.ts";
import { countOf } from "../../format/counts.ts";

const isVisible = (status: Status): boolean => status === "published" || status === "approved";

/** Why the new status of a conference may not have the effect that one expects. */
export function conferenceWarnings(events: ConferenceDetails["events_by_status"], next: Status): string[] {
  const visible = events.published + events.approved;
  if (isVisible(next) && visible === 0)
    return ["None of its events is published yet: people will see an empty conference."];
  if (!isVisible(next) && visible > 0)
    return [`${countOf(visible, "event")} with posters and guests can no longer be seen by anyone else.`];
  return [];
}

/** The same of an event. */
export function eventWarnings(
  { conference, hosts }: Pick<AdminEventDetails, "conference" | "hosts">,
  next: Status,
): string[] {
  if (!isVisible(next)) return [];
  return [
    ...(isVisible(conference.status)
      ? []
      : [`Nobody will see it yet: ${conference.name} is ${conference.status === "draft" ? "a draft" : "archived"}.`]),
    ...(hosts.length === 0 ? ["It has no host: nobody can manage it."] : []),
  ];
}
