import { expect, it } from "vitest";
import { attentionOf } from "./attention.ts";
import type { EventPage } from "./event-page.ts";

/** An event for which everything is done. */
const page = (given: { capacity?: number | null; approved?: number; posters?: Partial<EventPage["posters"]> } = {}) =>
  ({
    event: { end_time: "2031-05-01T20:00:00Z", capacity: given.capacity ?? null, run_of_show_published: true },
    guests: { pending: 0, approved: given.approved ?? 0 },
    posters: { drafts: 0, published: 1, unposted: 0, ...given.posters },
    ...{ speakers: { all: 1, without_photo: 0 }, segments: 1 },
  }) as EventPage;

const before = Date.parse("2031-05-01T19:00:00Z");

it("says nothing where everything is done, or the event is over", () => {
  expect(attentionOf(page(), before)).toEqual([]);
  const drafts = page({ posters: { drafts: 1, published: 0 } });
  expect(attentionOf(drafts, before)).toHaveLength(1);
  expect(attentionOf(drafts, Date.parse("2031-05-01T20:00:00Z"))).toHaveLength(1);
  expect(attentionOf(drafts, Date.parse("2031-05-01T20:00:01Z"))).toEqual([]);
});

it("says what is left to do, and leads to where that is done", () => {
  const undone = {
    event: { end_time: "2031-05-01T20:00:00Z", capacity: 2, run_of_show_published: false },
    guests: { pending: 2, approved: 3 },
    posters: { drafts: 2, published: 4, unposted: 3 },
    ...{ speakers: { all: 3, without_photo: 2 }, segments: 1 },
  } as EventPage;
  expect(attentionOf(undone, before)).toEqual([
    {
      ...{ why: "2 guests wait for approval", action: "Review guests", part: "guests" },
      search: { state: "pending" },
    },
    { why: "1 guest more than the capacity is approved", action: "Look at guests", part: "guests" },
    { why: "2 posters are drafts: agents do not see drafts", action: "Review posters", part: "posters" },
    { why: "3 published posters have not been posted anywhere", action: "Share posters", part: "posters" },
    { why: "2 speakers have no photo: posters show initials", action: "Add photos", part: "speakers" },
    { why: "The run of show is not published", action: "Look at the run of show", part: "run-of-show" },
  ]);
});

it("asks for the first poster and the first speaker, but not to publish an empty run of show", () => {
  const empty = {
    ...page({ posters: { published: 0 } }),
    event: { end_time: "2031-05-01T20:00:00Z", capacity: null, run_of_show_published: false },
    ...{ speakers: { all: 0, without_photo: 0 }, segments: 0 },
  } as EventPage;
  expect(attentionOf(empty, before).map(({ why, part }) => [why, part])).toEqual([
    ["There is no poster yet", "posters"],
    ["There are no speakers yet", "speakers"],
  ]);
});

it("counts the guests above the capacity", () => {
  const why = (approved: number) => attentionOf(page({ capacity: 2, approved }), before).map((each) => each.why);
  expect([why(2), why(3), why(4)]).toEqual([
    [],
    ["1 guest more than the capacity is approved"],
    ["2 guests more than the capacity are approved"],
  ]);
});
