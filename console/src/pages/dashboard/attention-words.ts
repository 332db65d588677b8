import { countOf } from "../../format/counts.ts";
import type { IconName } from "../../ui/icon.tsx";
import type { EventKind } from "./dashboard-data.ts";

type Words = {
  icon: IconName;
  /** Why the line is there. */
  why: (count: number) => string;
  action: string;
  /** The page of the event where it is done, and what it shows there. */
  tab: string;
  search?: Record<string, string>;
};

/** What each kind of line says, and its one action. */
export const attentionWords: Record<EventKind, Words> = {
  pending_guests: {
    icon: "users",
    why: (count) => `${countOf(count, "guest waits", "guests wait")} for a decision`,
    action: "Review guests",
    tab: "/guests",
    search: { state: "pending" },
  },
  over_capacity: {
    icon: "alert",
    why: (count) => `${countOf(count, "guest", "guests")} more than the capacity`,
    action: "Open guests",
    tab: "/guests",
  },
  room_for_waitlist: {
    icon: "users",
    why: (count) => `Room for ${countOf(count, "guest", "guests")} of the waitlist`,
    action: "Open waitlist",
    tab: "/guests",
    search: { state: "waitlisted" },
  },
  unpublished_run_of_show: {
    icon: "clock",
    why: () => "Starts soon, and its run of show is not published",
    action: "Open run of show",
    tab: "/run-of-show",
  },
  unposted_posters: {
    icon: "share",
    why: (count) => `${countOf(count, "published poster was", "published posters were")} not posted anywhere`,
    action: "Open posters",
    tab: "/posters",
  },
  draft_posters: {
    icon: "image",
    why: (count) => `${countOf(count, "poster is a draft", "posters are drafts")}`,
    action: "Review drafts",
    tab: "/posters",
  },
};
