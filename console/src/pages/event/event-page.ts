import { queryOptions } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import type { EventCategory, EventTier, HostRole, ListedStatus } from "../../../../contract/nouns.ts";
import { roleAtLeast } from "../../../../contract/roles.ts";
import { get, path } from "../../api/client.ts";
import { eventKey } from "../../api/query-keys.ts";
import type { Organization } from "../../api/session.ts";
import type { StateCounts } from "../guests/guests-api.ts";

export type EventDetails = {
  id: string;
  name: string;
  start_time: string;
  end_time: string;
  /** IANA name. */
  timezone: string;
  venue: string | null;
  venue_address: string | null;
  status: ListedStatus;
  category: EventCategory;
  tier: EventTier | null;
  description: string | null;
  luma_url: string | null;
  tile_image_url: string | null;
  capacity: number | null;
  run_of_show_published: boolean;
  ticketing_linked: boolean;
  conference: { id: string; name: string; city: string; status: string };
  created_at: string;
  updated_at: string;
};

export type Host = {
  id: string;
  name: string;
  slug: string;
  role: HostRole;
  logo_url: string | null;
  website_url: string | null;
};

export type NamedOrganization = { id: string; name: string; slug: string };

/** An open offer to hand the event over. */
export type HostOffer = { to: NamedOrganization; from: NamedOrganization; offered_at: string };

export type EventPage = {
  event: EventDetails;
  my_role: HostRole;
  hosts: Host[];
  /** Only for the two organizations that it is about. */
  host_offer: HostOffer | null;
  guests: StateCounts;
  posters: { drafts: number; published: number; unposted: number };
  speakers: { all: number; without_photo: number };
  segments: number;
};

/** Also for pages outside of the event's frame, such as the door. */
export const eventQuery = (organizationId: string, eventId: string) =>
  queryOptions({
    queryKey: eventKey(organizationId, eventId, "page"),
    queryFn: ({ signal }) =>
      get<EventPage>(path`/api/console/organizations/${organizationId}/events/${eventId}`, signal),
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

export function currentEvent({ event, my_role }: EventPage, { role, name }: Organization): CurrentEvent {
  const can_edit = roleAtLeast(role, "admin");
  const read_only_reason = can_edit
    ? undefined
    : `Admins and owners of ${name} can change this event. You are a member: ask one of them, or ask an owner for the role admin.`;
  return { ...event, my_role, can_edit, read_only_reason };
}
