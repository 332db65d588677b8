import { describe, expect, it } from "vitest";
import { attentionLines, shownLines, type UpcomingEvent } from "./attention-rules.js";

const now = Date.parse("2030-01-01T00:00:00Z");
const dayMs = 24 * 60 * 60 * 1000;

const event = (fields: Partial<UpcomingEvent> = {}): UpcomingEvent => ({
  id: "e1",
  name: "Opening",
  timezone: "Europe/Lisbon",
  capacity: null,
  start_time: new Date(now + 30 * dayMs).toISOString(),
  end_time: new Date(now + 31 * dayMs).toISOString(),
  run_of_show_published: true,
  has_segments: true,
  pending: 0,
  approved: 0,
  waitlisted: 0,
  posters: { drafts: 0, published: 1, unposted: 0 },
  ...fields,
});

describe("the list", () => {
  it("has keys that expire first", () => {
    const key = { id: "k", name: "Poster bot", expires_at: new Date(now + dayMs).toISOString() };
    const { lines, in_all } = attentionLines(
      [event({ pending: 1, posters: { drafts: 1, published: 1, unposted: 0 } })],
      [key],
      [],
      now,
    );
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
