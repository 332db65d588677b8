import { describe, expect, test } from "vitest";
import { segmentKind } from "../../contract/schema/run-of-show.js";
import { buildDemoDocument } from "../../demo/build-document.js";
import { readDemoContent } from "../../demo/content.js";
import type { DemoDocument, EventRow } from "../../demo/demo-document.js";

const baseUrl = "http://127.0.0.1:3000";
const someDate = new Date("2027-02-10T15:04:05.678Z");
const document = buildDemoDocument({ baseUrl, now: someDate });
const eventsById = new Map(document.events.map((event) => [event.id, event]));

describe("the demo document", () => {
  test("depends only on the options; ids do not depend on the date", () => {
    expect(buildDemoDocument({ baseUrl, now: new Date(someDate) })).toEqual(document);
    const later = buildDemoDocument({ baseUrl, now: new Date("2029-08-01T00:00:00Z") });
    expect(idsOf(later)).toEqual(idsOf(document));
  });

  test("shows published posters only on the tiles of events", () => {
    const shown = document.posters.filter(({ published }) => published);
    const withTile = document.events.filter(({ tile_image_url }) => tile_image_url !== null);
    expect(withTile.map(({ id }) => id).sort()).toEqual([...new Set(shown.map(({ event }) => event))].sort());
    const pictures = new Set(shown.map(({ thumbnail_url }) => thumbnail_url));
    expect(withTile.filter(({ tile_image_url }) => !pictures.has(tile_image_url))).toEqual([]);
  });

  test("has the number of rows that the documentation states", () => {
    const count = (list: keyof DemoDocument) => document[list].length;
    expect(count("conferences")).toBe(3);
    expect(count("organizations")).toBe(6);
    expect(count("users")).toBe(13);
    expect(document.events.filter(({ status }) => status !== "draft")).toHaveLength(41);
    expect(document.events.filter(({ status }) => status === "draft")).toHaveLength(2);
    expect(count("posters")).toBe(60);
    expect(count("registrations")).toBe(600);
    expect(document.events.filter(({ ticketing_event_id }) => ticketing_event_id)).toHaveLength(24);
    expect(new Set(document.segments.map(({ event }) => event)).size).toBe(14);
  });

  test("uses only reserved domains and the URL of the service", () => {
    const hosts = JSON.stringify(document).match(/https?:\/\/[^/"]+|@[a-z0-9-]+(\.[a-z0-9-]+)+/g) ?? [];
    const foreign = hosts.filter((each) => each !== baseUrl && !/[@./]example\.(com|org|net)$/.test(each));
    expect(foreign).toEqual([]);
  });
});

describe("users, organizations and keys of the demo", () => {
  test("there is one key per tier, and the organization hosts events at all three conferences", () => {
    const { keys } = readDemoContent();
    expect(keys.map(({ tier }) => tier)).toEqual(["super-admin", "conference", "organization"]);
    for (const key of keys) {
      if (key.tier === "conference") expect(document.conferences.map(({ slug }) => slug)).toContain(key.conference);
      if (key.tier !== "organization") continue;
      const organization = document.organizations.find(({ slug }) => slug === key.organization);
      expect(organization?.members).toContainEqual({ email: key.user, role: "owner" });
      const hosted = document.events.filter(
        ({ status, hosts = [] }) =>
          status !== "draft" && hosts.some((host) => host.organization === key.organization && host.role === "host"),
      );
      expect(new Set(hosted.map(({ conference }) => conference)).size).toBe(3);
    }
  });
});

describe("registrations of the demo", () => {
  test("never exceed the capacity; one event is full and has a waitlist", () => {
    const full = document.events.filter((event) => {
      const approved = registrationsOf(event, "approved");
      expect(approved, event.name).toBeLessThanOrEqual(event.capacity ?? Number.POSITIVE_INFINITY);
      return approved === event.capacity;
    });
    expect(full.map(({ name }) => name)).toEqual(["Accessible by Default"]);
    expect(full.every((event) => registrationsOf(event, "waitlisted") > 5)).toBe(true);
  });
});

describe("runs of show of the demo", () => {
  test("have every kind of segment, within the time of the event", () => {
    expect(new Set(document.segments.map(({ kind }) => kind))).toEqual(new Set(segmentKind.options));
    for (const { event, title, start_time, duration_minutes } of document.segments) {
      const { start_time: from, end_time: to } = eventsById.get(event) ?? { start_time: "", end_time: "" };
      expect(Date.parse(start_time), title).toBeGreaterThanOrEqual(Date.parse(from));
      expect(Date.parse(start_time) + duration_minutes * 60_000, title).toBeLessThanOrEqual(Date.parse(to));
    }
  });
});

describe("dates of the demo", () => {
  test.each([
    ["no special date", "2027-02-10T15:04:05Z"],
    ["a leap day", "2028-02-29T23:59:59Z"],
    ["the day before a leap day", "2028-02-28T00:00:00Z"],
    ["first conference in the week when daylight saving time starts", "2027-03-04T08:00:00Z"],
    ["first conference two days after daylight saving time starts", "2027-03-11T08:00:00Z"],
    ["first conference in the week when daylight saving time ends", "2027-10-05T08:00:00Z"],
    ["second conference on the day when daylight saving time starts in Montréal", "2027-01-25T12:00:00Z"],
    ["second conference on the day when daylight saving time ends", "2027-09-20T12:00:00Z"],
    ["the end of a year", "2026-12-31T23:30:00Z"],
  ])("put events in the future and history in the past: %s", (_, date) => {
    const now = new Date(date);
    const built = buildDemoDocument({ baseUrl, now });
    expectConferenceDates(built, now);
    expectLocalTimes(built);
    const past = [
      ...[built.conferences, built.events, built.posters].flat().map(({ created_at }) => created_at),
      ...built.registrations.flatMap(({ registered_at, checked_in_at }) => [registered_at, checked_in_at]),
    ];
    for (const each of past) if (each) expect(Date.parse(each)).toBeLessThanOrEqual(now.getTime());
    for (const { registered_at = "", checked_in_at } of built.registrations) {
      if (checked_in_at) expect(Date.parse(checked_in_at)).toBeGreaterThan(Date.parse(registered_at));
    }
  });

  test("follow daylight saving time: the same local time is another hour in UTC", () => {
    const opening = (now: string) =>
      buildDemoDocument({ baseUrl, now: new Date(now) }).events.find(({ name }) => name.startsWith("Opening Keynote"));
    expect(opening("2027-01-05T00:00:00Z")?.start_time).toMatch(/T09:30:00.000Z$/);
    expect(opening("2027-06-05T00:00:00Z")?.start_time).toMatch(/T08:30:00.000Z$/);
  });
});

function idsOf(built: DemoDocument): string[] {
  return Object.values(built).flatMap((rows) => rows.map(({ id }) => id));
}

function registrationsOf(event: EventRow, status: string): number {
  return document.registrations.filter((each) => each.event === event.id && each.status === status).length;
}

function expectConferenceDates({ conferences }: DemoDocument, now: Date): void {
  const weekday = (date: string) => new Date(`${date}T12:00:00Z`).getUTCDay();
  expect(conferences.map(({ start_date }) => weekday(start_date))).toEqual([2, 5, 4]);
  const firstInDays = (Date.parse(`${conferences[0]?.start_date}T00:00:00Z`) - now.getTime()) / 86_400_000;
  expect(firstInDays).toBeGreaterThan(16);
  expect(firstInDays).toBeLessThan(26);
  const starts = conferences.map(({ start_date }) => start_date);
  expect(starts).toEqual([...starts].sort());
}

/** Every event is on a day of its conference, at the same local time in every season. */
function expectLocalTimes({ conferences, events }: DemoDocument): void {
  for (const event of events) {
    const { start_date = "", end_date = "" } = conferences.find(({ slug }) => slug === event.conference) ?? {};
    const [from, to] = localTimes(event);
    expect(from.slice(0, 10) >= start_date && to.slice(0, 10) <= end_date, event.name).toBe(true);
    expect(from.slice(0, 10), event.name).toBe(to.slice(0, 10));
    expect(from.slice(11) >= "08:00" && from < to && to.slice(11) <= "23:00", `${event.name}: ${from}–${to}`).toBe(
      true,
    );
    const usual = eventsById.get(event.id);
    const [usualFrom, usualTo] = usual ? localTimes(usual) : ["", ""];
    expect([from.slice(11), to.slice(11)], event.name).toEqual([usualFrom.slice(11), usualTo.slice(11)]);
  }
}

function localTimes({ start_time, end_time, timezone }: EventRow): [from: string, to: string] {
  const clock = new Intl.DateTimeFormat("sv-SE", { timeZone: timezone, dateStyle: "short", timeStyle: "short" });
  return [clock.format(new Date(start_time)), clock.format(new Date(end_time))];
}
