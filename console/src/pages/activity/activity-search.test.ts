import { expect, it } from "vitest";
import { activitySearch, startOf } from "./activity-search.ts";

const id = "0b8f1d8e-6f4c-4f5e-9d35-2a7f0a5f1c11";

it("keeps valid filters and leaves out everything else", () => {
  expect(
    activitySearch({
      text: "room",
      person: id,
      tool: "add_event_guest",
      via: "key",
      since: "2030-01-01T00:00:00Z",
      x: 1,
    }),
  ).toEqual({ text: "room", person: id, tool: "add_event_guest", via: "key", since: "2030-01-01T00:00:00Z" });
  expect(
    activitySearch({
      text: "  ",
      person: "me",
      via: "pigeon",
      since: "yesterday",
      until: "2030-99-99T00:00:00Z",
      event: {},
    }),
  ).toEqual({});
  expect(activitySearch({ text: 2030 })).toEqual({ text: "2030" });
  const rest = { until: "2030-01-01T00:00:00Z", event: id };
  expect(activitySearch(rest)).toEqual(rest);
  expect(activitySearch({ event: "e1", tool: "", since: "2030-01-01" })).toEqual({});
});

it("keeps every way of a change", () => {
  const vias = ["key", "app", "console", "command_line"];
  expect(vias.map((via) => activitySearch({ via }).via)).toEqual(vias);
});

it("keeps texts of up to 200 characters and tools of up to 100", () => {
  const [text, tool] = ["x".repeat(200), "x".repeat(100)];
  expect(activitySearch({ text, tool })).toEqual({ text, tool });
  expect(activitySearch({ text: `${text}x`, tool: `${tool}x` })).toEqual({});
});

it("starts a period on a full minute", () => {
  const now = Date.parse("2030-01-02T10:11:12.345Z");
  expect(startOf("day", now)).toBe("2030-01-01T10:11:00.000Z");
  expect(startOf("week", now)).toBe("2029-12-26T10:11:00.000Z");
  expect(startOf("month", now)).toBe("2029-12-03T10:11:00.000Z");
  expect(startOf("any", now)).toBeUndefined();
});
