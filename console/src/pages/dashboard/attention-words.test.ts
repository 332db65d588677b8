import { expect, it } from "vitest";
import { attentionWords } from "./attention-words.ts";
import type { EventKind } from "./dashboard-data.ts";

it.each<[EventKind, string, string, string]>([
  ["pending_guests", "1 guest waits for a decision", "2 guests wait for a decision", "/guests?state=pending"],
  ["over_capacity", "1 guest more than the capacity", "2 guests more than the capacity", "/guests?"],
  [
    "room_for_waitlist",
    "Room for 1 guest of the waitlist",
    "Room for 2 guests of the waitlist",
    "/guests?state=waitlisted",
  ],
  [
    "unpublished_run_of_show",
    "Starts soon, and its run of show is not published",
    "Starts soon, and its run of show is not published",
    "/run-of-show?",
  ],
  [
    "unposted_posters",
    "1 published poster was not posted anywhere",
    "2 published posters were not posted anywhere",
    "/posters?",
  ],
  ["draft_posters", "1 poster is a draft", "2 posters are drafts", "/posters?"],
])("%s says why it is there, and leads to the page where it is done", (kind, one, two, page) => {
  const { why, tab, search = {} } = attentionWords[kind];
  expect([why(1), why(2), `${tab}?${new URLSearchParams(search)}`]).toEqual([one, two, page]);
});
