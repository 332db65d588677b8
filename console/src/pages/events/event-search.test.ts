import { expect, it } from "vitest";
import { eventSearch, isFiltered, tableQuery } from "./event-search.ts";

it("keeps what is a filter, and leaves out the rest", () => {
  const valid = { view: "calendar", month: "2026-12", when: "past", status: "approved", needs: "me", sort: "name" };
  expect(eventSearch({ ...valid, other: "x" })).toEqual(valid);
  expect(
    eventSearch({ view: "list", month: "2026-13", when: "soon", status: "draft", conference: "lisbon", sort: 1 }),
  ).toEqual({});
});

it("asks for upcoming events unless something else is chosen, past ones the latest first", () => {
  const now = Date.parse("2026-12-01T10:20:00Z");
  expect(tableQuery({}, now)).toEqual({ when: "upcoming", sort: "earliest" });
  expect(tableQuery({ when: "past" }, now)).toEqual({ when: "past", sort: "latest" });
  expect(tableQuery({ when: "any", sort: "guests" }, now)).toEqual({ sort: "guests" });
  expect(tableQuery({ when: "week", needs: "me" }, now)).toEqual({
    when: "upcoming",
    sort: "earliest",
    needs: "me",
    until: "2026-12-08T11:00:00.000Z",
  });
});

it("asks for the events between two days, as the clocks here show them", () => {
  const between = tableQuery({ when: "dates", from: "2026-12-07", until: "2026-12-08" });
  expect(between).toEqual({
    sort: "earliest",
    from: new Date(2026, 11, 7).toISOString(),
    until: new Date(2026, 11, 9).toISOString(),
  });
  expect(tableQuery({ when: "dates", until: "2026-12-08" })).not.toHaveProperty("from");
  expect(tableQuery({ from: "2026-12-07" }, 0)).toEqual({ when: "upcoming", sort: "earliest" });
  expect(eventSearch({ when: "dates", from: "2026-12-07", until: "8 Dec" })).toEqual({
    when: "dates",
    from: "2026-12-07",
  });
});

it("knows whether something narrows the list down", () => {
  expect([{}, { sort: "name" as const }, { view: "calendar" as const }].some(isFiltered)).toBe(false);
  expect([{ needs: "me" as const }, { when: "any" as const }].every(isFiltered)).toBe(true);
});
