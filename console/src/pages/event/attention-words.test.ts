import { expect, it } from "vitest";
import type { AttentionKind } from "../../../../contract/attention.ts";
import { attentionWords } from "./attention-words.ts";

it.each<[AttentionKind, string, string, string]>([
  ["pending_guests", "1 guest waits for a decision", "2 guests wait for a decision", "guests?state=pending"],
  [
    "over_capacity",
    "1 guest more than the capacity is approved",
    "2 guests more than the capacity are approved",
    "guests?",
  ],
  [
    "room_for_waitlist",
    "Room for 1 guest of the waitlist",
    "Room for 2 guests of the waitlist",
    "guests?state=waitlisted",
  ],
  ["unpublished_run_of_show", "The run of show is not published", "The run of show is not published", "run-of-show?"],
  [
    "unposted_posters",
    "1 published poster was not posted anywhere",
    "2 published posters were not posted anywhere",
    "posters?",
  ],
  [
    "draft_posters",
    "1 poster is a draft: agents do not see drafts",
    "2 posters are drafts: agents do not see drafts",
    "posters?",
  ],
  ["no_poster", "There is no poster yet", "There is no poster yet", "posters?"],
  ["no_speakers", "There are no speakers yet", "There are no speakers yet", "speakers?"],
  [
    "speakers_without_photo",
    "1 speaker has no photo: posters show initials",
    "2 speakers have no photo: posters show initials",
    "speakers?",
  ],
])("%s says why it is there, and leads to where it is done", (kind, one, two, place) => {
  const { why, part, search = {} } = attentionWords[kind];
  expect([why(1), why(2), `${part}?${new URLSearchParams(search)}`]).toEqual([one, two, place]);
});
