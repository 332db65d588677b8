import { expect, it } from "vitest";
import {
  changedConferenceArgs,
  conferenceArgs,
  conferenceDraft,
  conferenceProblems,
  newConference,
  withName,
} from "./conference-draft.ts";

const stored = {
  id: "1",
  name: "Open Days",
  short_name: "Days",
  slug: "open-days",
  city: "Lisbon",
  timezone: "Europe/Lisbon",
  start_date: "2031-05-04",
  end_date: "2031-05-07",
  category: "vip" as const,
  description: "Four days",
  banner_thumbnail_url: null,
  status: "draft" as const,
  keys: 0,
  events_by_status: { draft: 0, approved: 0, published: 0, archived: 0 },
};
const draft = conferenceDraft(stored);
const problemsOf = (changes: Partial<typeof draft>) =>
  Object.entries(conferenceProblems({ ...draft, ...changes })).filter(([, problem]) => problem !== undefined);

it("says what is missing or wrong", () => {
  expect(problemsOf({})).toEqual([]);
  expect(problemsOf(newConference).map(([name]) => name)).toEqual([
    ...["name", "short_name", "slug", "city", "timezone", "start_date", "end_date", "description"],
  ]);
  expect(problemsOf({ end_date: "2031-05-04" })).toEqual([]);
  expect(problemsOf({ end_date: "2031-05-03" })).toEqual([["end_date", "The last day is before the first"]]);
});

it("sends what was edited, and nothing for what is empty", () => {
  const { id: _id, status: _status, keys: _keys, events_by_status: _events, ...fields } = stored;
  expect(conferenceArgs(draft)).toEqual(fields);
  expect(changedConferenceArgs(draft, { ...draft })).toEqual({});
  expect(changedConferenceArgs(draft, { ...draft, city: "Porto", slug: "other" })).toEqual({ city: "Porto" });
  const banner = { ...draft, banner_thumbnail_url: "https://example.com/a.png" };
  expect(changedConferenceArgs(draft, banner)).toEqual({ banner_thumbnail_url: "https://example.com/a.png" });
  expect(changedConferenceArgs(banner, draft)).toEqual({ banner_thumbnail_url: null });
});

it("names a new conference, with a slug and a short name until they are typed", () => {
  const named = withName(newConference, "Open Days");
  expect(named).toEqual({ ...newConference, name: "Open Days", short_name: "Open Days", slug: "open-days" });
  expect(withName({ ...named, slug: "own" }, "Closed")).toMatchObject({ slug: "own", short_name: "Closed" });
  expect(withName({ ...named, short_name: "OD" }, "Closed")).toMatchObject({ slug: "closed", short_name: "OD" });
  const long = withName(named, "a".repeat(80));
  expect(long.short_name).toBe("a".repeat(60));
  expect(withName(long, `${"a".repeat(80)}b`).slug).toBe(`${"a".repeat(80)}b`);
});
