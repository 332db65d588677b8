import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Make, makerOn } from "../support/make.js";
import { getPage, withQuery } from "../support/pages.js";
import { type Service, startService } from "../support/service.js";

/** A cursor opens the list that it came from, and no other. */

let service: Service;
let make: Make;
let key: string;
let conferenceKey: string;
let conference: string;
let event: string;
let posters: string[];

let cursor: string;
const path = () => `/api/svc/events/${event}/posters`;

beforeAll(async () => {
  service = await startService();
  make = makerOn(service.db);
  key = await make.superAdminKey();
  conference = await make.conference();
  conferenceKey = await make.conferenceKey(conference);
  event = await make.event(conference);
  await make.event(conference);
  posters = (
    await make.posters(
      event,
      Array.from({ length: 9 }, () => ({})),
    )
  ).sort();
  cursor = await cursorOf(path(), 2);
  expect(cursor).toMatch(/^[\w-]+$/);
});
afterAll(() => service.close());

async function cursorOf(target: string, limit: number): Promise<string> {
  return (await getPage(service, key, target, { limit: String(limit) })).pagination.next_cursor ?? "";
}

async function expectRefused(target: string, cursors: string[]): Promise<void> {
  await Promise.all(
    cursors.map(async (value) => {
      const reply = await service.call(withQuery(target, { cursor: value }), { key });
      expect(reply.status, value).toBe(400);
      expect(reply.json.error).toMatch(/^cursor: expected the next_cursor of a page of the same list/);
    }),
  );
}

it("with any one character changed is refused", async () => {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const changed = [...cursor].flatMap((character, i) => {
    const at = alphabet.indexOf(character);
    // The neighbour differs only in bits that a careless decoder drops at the end.
    return [alphabet[(at + 1) % 64], alphabet[(at + 32) % 64]].map(
      (other) => cursor.slice(0, i) + other + cursor.slice(i + 1),
    );
  });
  await expectRefused(path(), changed);
});

it("cut short anywhere is refused, and so is the empty one", async () => {
  await expectRefused(
    path(),
    Array.from({ length: cursor.length }, (_, i) => cursor.slice(0, i)),
  );
});

it("with something added, or written in another alphabet, is refused", async () => {
  await expectRefused(path(), [
    ...["A", "AA", "=", "==", "\n", " ", "\0", "%", "é"].map((end) => cursor + end),
    ` ${cursor}`,
    cursor + cursor,
    cursor.toUpperCase(),
    Buffer.from(cursor, "base64url").toString("hex"),
    Buffer.from(["0", "2026-01-01T00:00:00.000Z", event].join("\n")).toString("base64url"),
    "null",
    "0",
    "'; drop table posters; --",
  ]);
});

it("of one list opens no other", async () => {
  const otherEvent = await make.event(conference);
  const otherConference = await make.conference();
  await expectRefused(`/api/svc/posters?event_id=${event}`, [cursor]);
  await expectRefused("/api/svc/posters", [cursor]);
  await expectRefused(`/api/svc/events/${otherEvent}/posters`, [cursor]);
  await expectRefused(`${path()}?published=true`, [cursor]);
  await expectRefused(`${path()}?published=false`, [cursor]);
  await expectRefused("/api/svc/conferences", [cursor]);

  const events = `/api/svc/conferences/${conference}/events`;
  const ofEvents = await cursorOf(events, 1);
  await expectRefused(`/api/svc/conferences/${otherConference}/events`, [ofEvents]);
  await expectRefused(`${events}?category=mainline`, [ofEvents]);
  await expectRefused("/api/svc/conferences", [ofEvents]);
  await expectRefused(path(), [ofEvents]);

  const ofConference = `/api/svc/posters?conference_id=${conference}`;
  const ofPosters = await cursorOf(ofConference, 1);
  await expectRefused("/api/svc/posters", [ofPosters]);
  await expectRefused(`/api/svc/posters?conference_id=${otherConference}`, [ofPosters]);
  await expectRefused(`${ofConference}&event_id=${event}`, [ofPosters]);
  await expectRefused(`/api/svc/events/${randomUUID()}/posters`, [ofPosters]);
});

it("works with another page size, with another key that sees the list, and as often as wanted", async () => {
  for (const who of [key, conferenceKey, key]) {
    const page = await getPage(service, who, path(), { cursor, limit: "200" });
    expect(page.items.map(({ id }) => id)).toEqual(posters.slice(2));
  }
});

it("given twice is refused", async () => {
  const reply = await service.call(`${path()}?cursor=${cursor}&cursor=${cursor}`, { key });
  expect(reply.status).toBe(400);
  expect(reply.json.error).toMatch(/^cursor: /);
});
