import sql from "sql-template-tag";
import { beforeAll, describe, expect, it } from "vitest";
import type { CallOptions } from "../support/call.js";
import { createRestFixture, type RestFixture } from "../support/rest-fixture.js";
import { useService } from "../support/setup.js";
import { specTable } from "./spec-table.js";

// Section 4.1 of the specification: the REST endpoints. Their rules are tested in test/http/ and test/access-checks.test.ts.

const { service, db, make } = useService();
const metadata = { style: "bold", speakers: ["Ada"] };
let fixture: RestFixture;

beforeAll(async () => {
  fixture = await createRestFixture(make);
  await db.query(sql`update posters set metadata = ${JSON.stringify(metadata)} where id = ${fixture.poster}`);
});

const pathOf = (path: string) =>
  path
    .replace("conferences/{id}", `conferences/${fixture.conference}`)
    .replace("events/{id}", `events/${fixture.event}`)
    .replace("posters/{id}", `posters/${fixture.poster}`);

const endpoints = specTable(`
  | Method | Path | Auth | Query / body | Response |
  |---|---|---|---|---|
  | GET | /api/svc | none | none | the full API description as JSON |
  | GET | /api/svc/ping | yes | none | key information: name, scope, expiry (exact body shape: not shown) |
  | GET | /api/svc/conferences | yes | query: cursor (string), limit (integer, default 50, max 200) | page envelope of Conference |
  | GET | /api/svc/conferences/{id}/events | yes | query: category (optional; \`mainline\`, \`community\`, \`sponsored\`, \`vip\`), cursor, limit | page envelope of EventSummary |
  | GET | /api/svc/posters | yes | query: event_id (uuid, optional), conference_id (uuid, optional), published (optional; \`true\` or \`false\`), cursor, limit | page envelope of Poster |
  | GET | /api/svc/events/{id}/posters | yes | query: published (optional; \`true\` or \`false\`), cursor, limit | page envelope of Poster |
  | GET | /api/svc/posters/{id} | yes | none | one Poster with full metadata |
  | PATCH | /api/svc/posters/{id} | yes | body: \`posted_urls\` (object, required): map of platform name to URL; header Content-Type: application/json | updated poster (response body: not shown) |`);

/** What a conference key gets from the fixture. */
function expectedResponse(response: string): object {
  const page = (id: string) => ({ items: [{ id }], pagination: { has_more: false, next_cursor: null, count: 1 } });
  const { conference, event, poster } = fixture;
  const expected: Record<string, object> = {
    "the full API description as JSON": { version: "5", endpoints: expect.any(Array) },
    "key information: name, scope, expiry (exact body shape: not shown)": {
      name: "test",
      scope: "conference",
      expires_at: null,
    },
    "page envelope of Conference": page(conference),
    "page envelope of EventSummary": page(event),
    "page envelope of Poster": page(poster),
    "one Poster with full metadata": { id: poster, metadata },
    "updated poster (response body: not shown)": { id: poster, metadata, posted_urls: { x: "https://x.example/1" } },
  };
  const found = expected[response];
  if (found === undefined) throw new Error(`nothing is expected of: ${response}`);
  return found;
}

describe.each(endpoints)("4.1 %s %s", (method, path, auth, input, response) => {
  const send = (options: CallOptions = {}) =>
    service.call(pathOf(path), {
      method,
      ...(method === "PATCH" ? { body: { posted_urls: { x: "https://x.example/1" } } } : {}),
      ...options,
    });

  it(`Auth: ${auth}`, async () => {
    expect((await send()).status).toBe(auth === "none" ? 200 : 401);
    for (const key of Object.values(fixture.keys)) expect((await send({ key })).status).toBe(200);
  });

  it(`Response: ${response}`, async () => {
    const { headers, json } = await send({ key: fixture.keys.conference });
    expect(headers.get("content-type")).toMatch(/^application\/json\b/);
    expect(json).toMatchObject(expectedResponse(response));
  });

  it(`is described by GET /api/svc with ${input}`, async () => {
    const described = (await service.call("/api/svc")).json.endpoints.find(
      (endpoint: { method: string; path: string }) => endpoint.method === method && endpoint.path === path,
    );
    const names = described.parameters.filter((one: { in: string }) => one.in === "query");
    const listed =
      /query: (.*)/
        .exec(input)?.[1]
        ?.replaceAll(/ \([^)]*\)/g, "")
        .split(", ") ?? [];
    expect(names.map(({ name }: { name: string }) => name).sort()).toEqual(listed.sort());
    expect(described.body?.map(({ name }: { name: string }) => name) ?? []).toEqual(
      input.startsWith("body") ? ["posted_urls"] : [],
    );
  });
});
