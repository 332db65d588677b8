import type { AttentionKind } from "../../../../contract/attention.ts";
import { countOf } from "../../format/counts.ts";
import type { IconName } from "../../ui/icon.tsx";

type Words = {
  icon: IconName;
  /** Why the line is there. */
  why: (count: number) => string;
  action: string;
  /** Whether every member may do it; other people's lines only lead there. */
  isForAll?: true;
  /** The part of the event where it is done, and what it shows there. */
  part: "guests" | "run-of-show" | "speakers" | "posters";
  search?: Record<string, string>;
};

/** What each kind of line says, and its one action. */
export const attentionWords: Record<AttentionKind, Words> = {
  pending_guests: {
    icon: "users",
    why: (count) => `${countOf(count, "guest waits", "guests wait")} for a decision`,
    action: "Review guests",
    part: "guests",
    search: { state: "pending" },
  },
  over_capacity: {
    icon: "alert",
    why: (count) =>
      `${countOf(count, "guest more than the capacity is", "guests more than the capacity are")} approved`,
    action: "Open guests",
    part: "guests",
  },
  room_for_waitlist: {
    icon: "users",
    why: (count) => `Room for ${countOf(count, "guest", "guests")} of the waitlist`,
    action: "Open waitlist",
    part: "guests",
    search: { state: "waitlisted" },
  },
  unpublished_run_of_show: {
    icon: "clock",
    why: () => "The run of show is not published",
    action: "Open run of show",
    part: "run-of-show",
  },
  unposted_posters: {
    icon: "share",
    why: (count) => `${countOf(count, "published poster was", "published posters were")} not posted anywhere`,
    action: "Share posters",
    isForAll: true,
    part: "posters",
  },
  draft_posters: {
    icon: "image",
    why: (count) => `${countOf(count, "poster is a draft", "posters are drafts")}: agents do not see drafts`,
    action: "Review drafts",
    part: "posters",
  },
  no_poster: { icon: "image", why: () => "There is no poster yet", action: "Draw a poster", part: "posters" },
  no_speakers: { icon: "users", why: () => "There are no speakers yet", action: "Add speakers", part: "speakers" },
  speakers_without_photo: {
    icon: "users",
    why: (count) => `${countOf(count, "speaker has", "speakers have")} no photo: posters show initials`,
    action: "Add photos",
    part: "speakers",
  },
};

const openWords: Record<Words["part"], string> = {
  guests: "Open guests",
  "run-of-show": "Open run of show",
  speakers: "Open speakers",
  posters: "Open posters",
};

/** The action of a line for somebody who may edit the event, or only look at it. */
export function attentionAction(kind: AttentionKind, mayEdit: boolean): string {
  const { action, isForAll = false, part } = attentionWords[kind];
  return mayEdit || isForAll ? action : openWords[part];
}
