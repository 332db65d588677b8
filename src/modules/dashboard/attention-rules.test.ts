import { expect, it } from "vitest";
import type { DashboardEvent } from "../../../contract/console/organization.js";
import { attentionLines, shownEvents, shownLines } from "./attention-rules.js";

const event = (id: string) =>
  ({
    id,
    name: "Opening",
    start_time: "2030-01-01T00:00:00.000Z",
    timezone: "Europe/Lisbon",
    capacity: 10,
    needs: [
      { kind: "pending_guests", count: 2 },
      { kind: "draft_posters", count: 1 },
    ],
  }) as DashboardEvent;
const keys = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: `k${i}`,
    name: "Poster bot",
    expires_at: "2030-01-01T00:00:00.000Z",
  }));

it("has keys that expire first, and one line for an event, whatever it needs", () => {
  const { lines, events } = attentionLines([event("e1")], keys(1), []);
  expect(lines).toEqual([
    { kind: "expiring_key", key: keys(1)[0] },
    {
      kind: "event",
      event: { id: "e1", name: "Opening", start_time: "2030-01-01T00:00:00.000Z", timezone: "Europe/Lisbon" },
      needs: event("e1").needs,
    },
  ]);
  expect(events).toBe(1);
});

it("is bounded and says how many events there are", () => {
  const events = Array.from({ length: 100 }, (_, i) => event(`e${i}`));
  const attention = attentionLines(events, keys(shownLines + 1), []);
  expect(attention.lines).toHaveLength(shownLines + shownEvents);
  expect(attention.events).toBe(100);
});
