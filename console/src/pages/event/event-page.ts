import { queryOptions } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import type { Organization } from "../../../../contract/console/account.ts";
import type { EventDetails, EventPage } from "../../../../contract/console/event.ts";
import type { HostRole } from "../../../../contract/nouns.ts";
import { roleAtLeast } from "../../../../contract/roles.ts";
import { call } from "../../api/client.ts";
import { eventKey } from "../../api/query-keys.ts";

/** Also for pages outside of the event's frame, such as the door. */
export const eventQuery = (organizationId: string, eventId: string) =>
  queryOptions({
    queryKey: eventKey(organizationId, eventId, "page"),
    queryFn: ({ signal }) => call("event", { organization: organizationId, event: eventId }, { signal }),
  });

/** The event of the page, and what this person may do with it. */
export type CurrentEvent = EventDetails & {
  /** Whether the organization hosts or co-hosts the event. */
  my_role: HostRole;
  /** Whether this person may change the event: its guests, details, speakers, posters and run of show. */
  can_edit: boolean;
  /** Why not, in a sentence for the person; undefined for those who may. */
  read_only_reason: string | undefined;
};

type EventContextValue = { page: EventPage; current: CurrentEvent };

export const EventContext = createContext<EventContextValue | null>(null);

/** Only on pages below /o/:organization/events/:event, except for the door. */
export const useEvent = (): CurrentEvent => useEventContext().current;

/** All that the frame has read: hosts and counts too. */
export const useEventPage = (): EventPage => useEventContext().page;

function useEventContext(): EventContextValue {
  const value = useContext(EventContext);
  if (value === null) throw new Error("useEvent: there is no EventFrame around this page");
  return value;
}

export function currentEvent({ event, my_role, cancelled_at }: EventPage, { role, name }: Organization): CurrentEvent {
  if (cancelled_at !== null) {
    const read_only_reason = "It is cancelled. Take the cancellation back to change it again.";
    return { ...event, my_role, can_edit: false, read_only_reason };
  }
  const can_edit = roleAtLeast(role, "admin");
  const read_only_reason = can_edit
    ? undefined
    : `Admins and owners of ${name} can change this event. You are a member: ask one of them, or ask an owner for the role admin.`;
  return { ...event, my_role, can_edit, read_only_reason };
}
