import { describe, expect, it } from "vitest";
import { attentionLines, shownLines, type UpcomingEvent } from "./attention-rules.js";

const now = Date.parse("2030-01-01T00:00:00Z");
const dayMs = 24 * 60 * 60 * 1000;

const event = (fields: Partial<UpcomingEvent> = {}): UpcomingEvent => ({
  id: "e1",
  name: "Opening",
  start_time: new Date(now + 30 * dayMs).toISOString(),
  timezone: "Europe/Lisbon",
  capacity: null,
  run_of_show_published: false,
  pending: 0,
  approved: 0,
  waitlisted: 0,
  drafts: 0,
  unposted: 0,
  ...fields,
});

const kindsOf = (fields: Partial<UpcomingEvent>) =>
  attentionLines([event(fields)], [], [], now).lines.map((line) => [line.kind, "count" in line ? line.count : null]);

describe("an event needs attention", () => {
  it.each<[string, Partial<UpcomingEvent>, unknown[]]>([
    ["not if all is done", {}, []],
    ["if guests wait for a decision", { pending: 3 }, [["pending_guests", 3]]],
    ["if more guests are approved than fit", { approved: 12, capacity: 10 }, [["over_capacity", 2]]],
    ["not if it is full", { approved: 10, capacity: 10, waitlisted: 4 }, []],
    ["if there is room for the waitlist", { approved: 9, capacity: 10, waitlisted: 4 }, [["room_for_waitlist", 1]]],
    ["not for a waitlist without a capacity", { approved: 9, waitlisted: 4 }, []],
    ["if posters are drafts", { drafts: 2 }, [["draft_posters", 2]]],
    ["if posters were not posted", { unposted: 5 }, [["unposted_posters", 5]]],
    [
      "if it starts soon without a published run of show",
      { start_time: new Date(now + 14 * dayMs).toISOString() },
      [["unpublished_run_of_show", 1]],
    ],
    [
      "not if the run of show is published",
      { start_time: new Date(now).toISOString(), run_of_show_published: true },
      [],
    ],
    ["not yet if it starts later", { start_time: new Date(now + 14 * dayMs + 1).toISOString() }, []],
  ])("%s", (_, fields, lines) => {
    expect(kindsOf(fields)).toEqual(lines);
  });
});

describe("the list", () => {
  it("has keys that expire first", () => {
    const key = { id: "k", name: "Poster bot", expires_at: new Date(now + dayMs).toISOString() };
    const { lines, in_all } = attentionLines([event({ pending: 1, drafts: 1 })], [key], [], now);
    expect(lines.map(({ kind }) => kind)).toEqual(["expiring_key", "pending_guests", "draft_posters"]);
    expect(in_all).toBe(3);
  });

  it("is bounded and says how many there are", () => {
    const events = Array.from({ length: 100 }, (_, i) => event({ id: `e${i}`, pending: 1 }));
    const { lines, in_all } = attentionLines(events, [], [], now);
    expect(lines).toHaveLength(shownLines);
    expect(in_all).toBe(100);
  });
});
