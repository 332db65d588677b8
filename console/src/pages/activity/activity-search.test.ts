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
});

it("starts a period on a full minute", () => {
  const now = Date.parse("2030-01-02T10:11:12.345Z");
  expect(startOf("day", now)).toBe("2030-01-01T10:11:00.000Z");
  expect(startOf("any", now)).toBeUndefined();
});
