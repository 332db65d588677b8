import { describe, expect, it } from "vitest";
import { attentionOf, type EventFacts, listedAttentionOf } from "./attention.js";

const now = Date.parse("2030-01-01T00:00:00Z");
const dayMs = 24 * 60 * 60 * 1000;
const at = (days: number) => new Date(now + days * dayMs).toISOString();

type Given = Partial<Omit<EventFacts, "posters" | "speakers">> & {
  posters?: Partial<EventFacts["posters"]>;
  speakers?: Partial<EventFacts["speakers"]>;
};

/** An event for which everything is done. */
const event = ({ posters, speakers, ...fields }: Given = {}): EventFacts => ({
  start_time: at(30),
  end_time: at(31),
  capacity: null,
  run_of_show_published: true,
  has_segments: true,
  pending: 0,
  approved: 0,
  waitlisted: 0,
  ...fields,
  posters: { drafts: 0, published: 1, unposted: 0, ...posters },
  speakers: { all: 1, without_photo: 0, ...speakers },
});

const kindsIn = (found: { kind: string; count: number }[]) => found.map(({ kind, count }) => [kind, count]);
const hidden = { run_of_show_published: false };

describe.each([
  ["in a list", (given: Given) => listedAttentionOf(event(given), now)],
  ["on its page", (given: Given) => attentionOf(event(given), now)],
])("an event %s needs attention", (_where, found) => {
  it.each<[string, Given, unknown[]]>([
    ["not if all is done", {}, []],
    ["if guests wait for a decision", { pending: 3 }, [["pending_guests", 3]]],
    ["if more guests are approved than fit", { approved: 12, capacity: 10 }, [["over_capacity", 2]]],
    ["not if it is full", { approved: 10, capacity: 10, waitlisted: 4 }, []],
    ["if there is room for the waitlist", { approved: 9, capacity: 10, waitlisted: 4 }, [["room_for_waitlist", 1]]],
    ["for all of a short waitlist", { approved: 1, capacity: 10, waitlisted: 4 }, [["room_for_waitlist", 4]]],
    ["not for a waitlist without a capacity", { approved: 9, waitlisted: 4 }, []],
    ["if posters are drafts", { posters: { drafts: 2 } }, [["draft_posters", 2]]],
    ["if posters were not posted", { posters: { unposted: 5 } }, [["unposted_posters", 5]]],
    [
      "if it starts soon and hides its run of show",
      { ...hidden, start_time: at(14) },
      [["unpublished_run_of_show", 1]],
    ],
    ["not for a run of show that it does not have", { ...hidden, start_time: at(1), has_segments: false }, []],
    ["not when it is over", { pending: 3, end_time: at(-1 / dayMs) }, []],
    ["until it is over", { pending: 3, end_time: at(0) }, [["pending_guests", 3]]],
  ])("%s", (_, given, kinds) => {
    expect(kindsIn(found(given))).toEqual(kinds);
  });
});

it("an event that starts later needs its run of show on its page only", () => {
  const later = { ...hidden, start_time: at(14 + 1 / dayMs) };
  expect(kindsIn(listedAttentionOf(event(later), now))).toEqual([]);
  expect(kindsIn(attentionOf(event(later), now))).toEqual([["unpublished_run_of_show", 1]]);
});

it("an event needs posters, speakers and their photos on its page only", () => {
  const empty = event({ posters: { published: 0 }, speakers: { all: 0 } });
  expect(kindsIn(attentionOf(empty, now))).toEqual([
    ["no_poster", 1],
    ["no_speakers", 1],
  ]);
  expect(kindsIn(attentionOf(event({ speakers: { all: 3, without_photo: 2 } }), now))).toEqual([
    ["speakers_without_photo", 2],
  ]);
  expect(kindsIn(attentionOf(event({ posters: { published: 0, drafts: 1 } }), now))).toEqual([["draft_posters", 1]]);
  expect(listedAttentionOf(empty, now)).toEqual([]);
});

it("the most urgent comes first", () => {
  const given = { pending: 1, approved: 5, capacity: 4, ...hidden, start_time: at(1) };
  const found = listedAttentionOf(event({ ...given, posters: { drafts: 1, unposted: 1 } }), now);
  expect(found.map(({ kind }) => kind)).toEqual([
    "pending_guests",
    "over_capacity",
    "unpublished_run_of_show",
    "unposted_posters",
    "draft_posters",
  ]);
});
