import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { getPage, withQuery } from "../support/pages.js";
import { useService } from "../support/setup.js";

/** A cursor is valid for the list that returned it, and for no other. */

const { service, make } = useService();
let key: string;
let conferenceKey: string;
let conference: string;
let event: string;
let posters: string[];

let cursor: string;
const path = () => `/api/svc/events/${event}/posters`;

beforeAll(async () => {
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

async function cursorOf(target: string, limit: number): Promise<string> {
  return (await getPage(service, key, target, { limit: String(limit) })).pagination.next_cursor ?? "";
}

async function expectRejected(target: string, cursors: string[]): Promise<void> {
  await Promise.all(
    cursors.map(async (value) => {
      const reply = await service.call(withQuery(target, { cursor: value }), { key });
      expect(reply.status, value).toBe(400);
      expect(reply.json.error).toMatch(/^cursor: expected the next_cursor of a page of the same list/);
    }),
  );
}

it("with any one character changed is rejected", async () => {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const changed = [...cursor].map((character, i) => {
    const at = alphabet.indexOf(character);
    // The next character of the alphabet differs only in bits that a lenient decoder drops at the end.
    return cursor.slice(0, i) + alphabet[(at + 1) % 64] + cursor.slice(i + 1);
  });
  await expectRejected(path(), changed);
});

it("truncated anywhere is rejected", async () => {
  const lengths = [1, 2, 3, 4, 20, 21, 22, 23, -4, -3, -2, -1];
  await expectRejected(
    path(),
    lengths.map((length) => cursor.slice(0, length)),
  );
});

it("with characters added, or in another encoding, is rejected", async () => {
  await expectRejected(path(), [
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

it("of one list is rejected by any other", async () => {
  const otherEvent = await make.event(conference);
  const otherConference = await make.conference();
  await expectRejected(`/api/svc/posters?event_id=${event}`, [cursor]);
  await expectRejected("/api/svc/posters", [cursor]);
  await expectRejected(`/api/svc/events/${otherEvent}/posters`, [cursor]);
  await expectRejected(`${path()}?published=true`, [cursor]);
  await expectRejected(`${path()}?published=false`, [cursor]);
  await expectRejected("/api/svc/conferences", [cursor]);

  const events = `/api/svc/conferences/${conference}/events`;
  const ofEvents = await cursorOf(events, 1);
  await expectRejected(`/api/svc/conferences/${otherConference}/events`, [ofEvents]);
  await expectRejected(`${events}?category=mainline`, [ofEvents]);
  await expectRejected("/api/svc/conferences", [ofEvents]);
  await expectRejected(path(), [ofEvents]);

  const ofConference = `/api/svc/posters?conference_id=${conference}`;
  const ofPosters = await cursorOf(ofConference, 1);
  await expectRejected("/api/svc/posters", [ofPosters]);
  await expectRejected(`/api/svc/posters?conference_id=${otherConference}`, [ofPosters]);
  await expectRejected(`${ofConference}&event_id=${event}`, [ofPosters]);
  await expectRejected(`/api/svc/events/${randomUUID()}/posters`, [ofPosters]);
});

it("works with another page size, with another key that sees the list, and repeatedly", async () => {
  for (const who of [key, conferenceKey, key]) {
    const page = await getPage(service, who, path(), { cursor, limit: "200" });
    expect(page.items.map(({ id }) => id)).toEqual(posters.slice(2));
  }
});

it("given twice is rejected", async () => {
  const reply = await service.call(`${path()}?cursor=${cursor}&cursor=${cursor}`, { key });
  expect(reply.status).toBe(400);
  expect(reply.json.error).toMatch(/^cursor: /);
});
