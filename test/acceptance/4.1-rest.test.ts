import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CallOptions, Reply } from "../support/call.js";
import { readList } from "../support/pages.js";
import { createRestFixture, type RestFixture } from "../support/rest-fixture.js";
import { useService } from "../support/setup.js";
import { specTable, valuesIn } from "./spec-table.js";

// Section 4.1 of the specification: the REST endpoints and their rules.

const { service, db, make } = useService();
const metadata = { style: "bold", speakers: ["Ada"] };
let fixture: RestFixture;
let admin: string;

beforeAll(async () => {
  fixture = await createRestFixture(make);
  admin = fixture.keys["super-admin"];
  await db.query(sql`update posters set metadata = ${JSON.stringify(metadata)} where id = ${fixture.poster}`);
});

const pathOf = (path: string) =>
  path
    .replace("conferences/{id}", `conferences/${fixture.conference}`)
    .replace("events/{id}", `events/${fixture.event}`)
    .replace("posters/{id}", `posters/${fixture.poster}`);
const get = (path: string, key = admin) => service.call(`/api/svc/${path}`, { key });
const idsOf = (reply: Reply): string[] => reply.json.items.map(({ id }: { id: string }) => id);

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

describe("4.1 GET /api/svc: the full API description", () => {
  it.each([
    ...["name", "version", "description", "base_url", "documentation_url", "openapi_url", "authentication", "workflow"],
    ...["endpoints", "removed_endpoints", "ticketing", "mcp", "errors", "limits"],
  ])("has %s", async (name) => {
    expect((await service.call("/api/svc")).json[name]).toBeTruthy();
  });
});

describe("4.1 GET /api/svc/ping: name, scope, expiry", () => {
  it("describes an organization key", async () => {
    const { json } = await get("ping", fixture.keys.organization);
    expect(json).toMatchObject({
      name: "test",
      tier: "organization",
      scope: "organization",
      scopes: expect.any(Array),
      conference_id: null,
      organization_id: fixture.organization,
      expires_at: expect.any(String),
    });
    expect(Object.keys(json)).toContain("last_used_at");
  });

  it("describes a key without an end", async () => {
    expect((await get("ping")).json).toMatchObject({ scope: "super-admin", scopes: null, expires_at: null });
  });
});

describe("4.1 query parameters", () => {
  const lists = endpoints.filter(([, , , input]) => input?.includes("limit")).map(([, path = ""]) => path);

  it.each(lists)("%s: cursor and limit page through the list", async (listPath) => {
    const conference = await make.conference();
    const events = [await make.event(conference), await make.event(conference), await make.event(conference)];
    const posters = await make.posters(events[0] ?? "", [{}, {}, {}]);
    const more = await make.organization();
    for (let n = 0; n < 3; n++) await make.event(await make.conference(), { hosts: [more] });
    const key = listPath.endsWith("conferences")
      ? await make.organizationKey(more)
      : await make.conferenceKey(conference);
    const path = listPath.replace("conferences/{id}", `conferences/${conference}`).replace("{id}", events[0] ?? "");
    const whole = await readList(service, key, path);
    expect(whole).toHaveLength(3);
    expect(await readList(service, key, path, 1)).toEqual(whole);
    if (listPath.endsWith("posters")) expect(whole.toSorted()).toEqual(posters.toSorted());
  });

  it.each(lists)("%s: a malformed cursor or limit is a 400", async (path) => {
    for (const query of ["cursor=nonsense", "limit=0", "limit=-1", "limit=ten", "limit=1.5"]) {
      const reply = await service.call(`${pathOf(path)}?${query}`, { key: admin });
      expect([query, reply.status]).toEqual([query, 400]);
      expect(reply.json).toMatchObject({ error: expect.any(String), field: query.split("=")[0] });
    }
  });

  it.each(valuesIn(endpoints[3]?.[3] ?? ""))("category=%s gives the events of it only", async (value) => {
    const conference = await make.conference();
    for (const category of ["mainline", "community", "sponsored", "vip"]) await make.event(conference, { category });
    const { json } = await get(`conferences/${conference}/events?category=${value}`);
    expect(json.items).toMatchObject([{ category: value }]);
  });

  it("category: another value is a 400", async () => {
    expect((await get(`conferences/${fixture.conference}/events?category=headline`)).status).toBe(400);
  });

  it.each(["true", "false"])("published=%s gives the posters in this state, on both poster lists", async (value) => {
    const event = await make.event(fixture.conference);
    const [shown, hidden] = await make.posters(event, [{ published: true }, { published: false }]);
    for (const list of [`posters?event_id=${event}&`, `events/${event}/posters?`]) {
      expect(idsOf(await get(`${list}published=${value}`))).toEqual([value === "true" ? shown : hidden]);
    }
  });

  it("published: another value is a 400", async () => {
    expect((await get("posters?published=yes")).status).toBe(400);
    expect((await get(`events/${fixture.event}/posters?published=1`)).status).toBe(400);
  });

  it("event_id gives the posters of that event, conference_id those of that conference", async () => {
    const conference = await make.conference();
    const events = [await make.event(conference), await make.event(conference)];
    const posters = [await make.poster(events[0] ?? ""), await make.poster(events[1] ?? "")];
    expect(idsOf(await get(`posters?event_id=${events[0]}`))).toEqual([posters[0]]);
    expect(idsOf(await get(`posters?conference_id=${conference}`)).toSorted()).toEqual(posters.toSorted());
    expect(idsOf(await get(`posters?conference_id=${fixture.conference}&event_id=${events[0]}`))).toEqual([]);
  });

  it("event_id and conference_id: a malformed uuid is a 400, an id that nobody has gives an empty page", async () => {
    for (const name of ["event_id", "conference_id"]) {
      expect((await get(`posters?${name}=7`)).status).toBe(400);
      expect((await get(`posters?${name}=${randomUUID()}`)).json).toMatchObject({ items: [] });
    }
  });

  it("an unknown parameter is ignored and named in a header", async () => {
    const reply = await get("posters?Published=true");
    expect(reply.status).toBe(200);
    expect(reply.headers.get("x-ignored-query-parameters")).toBe("Published");
  });
});

describe("4.1 rule 1: {id} in path is a uuid", () => {
  const withId = endpoints.filter(([, path]) => path?.includes("{id}"));

  it.each(withId)("%s %s: a malformed id is a 400, an unknown one a 404", async (method, path) => {
    const send = (id: string) =>
      service.call(path.replace("{id}", id), {
        key: admin,
        method,
        ...(method === "PATCH" ? { body: { posted_urls: {} } } : {}),
      });
    expect((await send("not-a-uuid")).status).toBe(400);
    const unknown = await send(randomUUID());
    expect(unknown.status).toBe(404);
    const kind = { conferences: "Conference", events: "Event", posters: "Poster" }[path.split("/")[3] ?? ""];
    expect(unknown.json.error).toBe(`${kind} not found`);
  });
});

describe("4.1 rule 2: conference list", () => {
  it("A conference-scoped key sees only its own conference", async () => {
    expect(idsOf(await get("conferences", fixture.keys.conference))).toEqual([fixture.conference]);
  });

  it("An organization key sees conferences where the organization hosts events", async () => {
    expect(idsOf(await get("conferences", fixture.keys.organization))).toEqual([fixture.conference]);
    const cohost = await make.organization();
    const conference = await make.conference();
    await make.event(conference, { hosts: [fixture.organization, cohost] });
    expect(idsOf(await get("conferences", await make.organizationKey(cohost)))).toEqual([conference]);
    expect(idsOf(await get("conferences", await make.organizationKey(await make.organization())))).toEqual([]);
  });

  it("A super-admin key sees every published and approved conference", async () => {
    const made = [await make.conference({ status: "approved" }), await make.conference({ status: "published" })];
    expect(await readList(service, admin, "/api/svc/conferences")).toEqual(expect.arrayContaining(made));
  });
});

describe("4.1 rule 3: conference events list", () => {
  it("An organization key sees only events the organization hosts", async () => {
    const conference = await make.conference();
    const hosted = await make.event(conference, { hosts: [fixture.organization] });
    const other = await make.event(conference, { hosts: [await make.organization()] });
    const path = `conferences/${conference}/events`;
    expect(idsOf(await get(path, fixture.keys.organization))).toEqual([hosted]);
    expect(idsOf(await get(path)).toSorted()).toEqual([hosted, other].toSorted());
  });
});

describe("4.1 rule 4: poster list", () => {
  it("when published is omitted, all posters are returned", async () => {
    const event = await make.event(fixture.conference);
    const posters = await make.posters(event, [{ published: true }, { published: false }]);
    expect(idsOf(await get(`posters?event_id=${event}`)).toSorted()).toEqual(posters.toSorted());
    expect(idsOf(await get(`events/${event}/posters`)).toSorted()).toEqual(posters.toSorted());
  });

  it("conference_id defaults to the conference of a conference-scoped key", async () => {
    const conference = await make.conference();
    const poster = await make.poster(await make.event(conference));
    const key = await make.conferenceKey(conference);
    expect(idsOf(await get("posters", key))).toEqual([poster]);
    expect(idsOf(await get(`posters?conference_id=${conference}`, key))).toEqual([poster]);
    expect((await get(`posters?conference_id=${fixture.conference}`, key)).status).toBe(403);
  });
});

describe("4.1 rule 5: PATCH", () => {
  let poster: string;
  beforeEach(async () => {
    poster = await make.poster(fixture.event);
  });
  const patch = (body: unknown, options: CallOptions = {}) =>
    service.call(`/api/svc/posters/${poster}`, { key: admin, method: "PATCH", body, ...options });
  const stored = async () => (await get(`posters/${poster}`)).json;
  const url = (name: string) => `https://social.example/${name}`;

  it("PATCH updates only posted_urls", async () => {
    const before = await stored();
    const others = { title: "Renamed", published: false, sort_order: 9, metadata: { a: 1 }, id: randomUUID() };
    const reply = await patch({ ...others, posted_urls: { x: url("1") } });
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({ ...before, posted_urls: { x: url("1") } });
    expect(await stored()).toEqual(reply.json);
    expect(reply.headers.get("x-ignored-fields")?.split(/, */).sort()).toEqual(Object.keys(others).sort());
  });

  it.each(["", "{", "posted_urls", '{"posted_urls":'])("a body that is not valid JSON is a 400: %j", async (body) => {
    expect((await patch(body)).status).toBe(400);
  });

  it("PATCH without posted_urls is a 400", async () => {
    const reply = await patch({ title: "Renamed" });
    expect(reply.status).toBe(400);
    expect(reply.json).toMatchObject({ error: expect.stringContaining("posted_urls"), field: "posted_urls" });
  });

  it.each([[null], [[]], ["https://x.example/1"], [7]])(
    "posted_urls that is no object is a 400: %j",
    async (posted_urls) => {
      expect((await patch({ posted_urls })).status).toBe(400);
    },
  );

  it.each(["x.example/1", "ftp://x.example/1", "javascript:1", 7, {}])("a link that is no URL: %j", async (link) => {
    expect((await patch({ posted_urls: { x: link } })).status).toBe(400);
    expect((await stored()).posted_urls).toBeNull();
  });

  it('when no poster has the id, the answer is 404 with error "Poster not found"', async () => {
    const reply = await service.call(`/api/svc/posters/${randomUUID()}`, { key: admin, body: { posted_urls: {} } });
    expect(reply.status).toBe(404);
    expect(reply.json.error).toBe("Poster not found");
  });

  it("posted_urls is merged into the existing map: adds, replaces, and removes what is null", async () => {
    await patch({ posted_urls: { x: url("1"), instagram: url("2") } });
    const reply = await patch({ posted_urls: { x: url("3"), bluesky: url("4"), instagram: null } });
    expect(reply.json.posted_urls).toEqual({ x: url("3"), bluesky: url("4") });
    expect((await patch({ posted_urls: { x: null, bluesky: null } })).json.posted_urls).toBeNull();
  });

  it.each(["super-admin", "conference", "organization"] as const)("a key of the tier %s may PATCH", async (tier) => {
    expect((await patch({ posted_urls: { x: url("1") } }, { key: fixture.keys[tier] })).status).toBe(200);
  });
});

describe("4.1 rule 6: pagination", () => {
  it("cursor from next_cursor gives the next page; limit controls page size", async () => {
    const event = await make.event(fixture.conference);
    await make.posters(
      event,
      [1, 2, 3, 4, 5].map((sort_order) => ({ sort_order })),
    );
    const path = `events/${event}/posters?limit=2`;
    const first = (await get(path)).json;
    const second = (await get(`${path}&cursor=${encodeURIComponent(first.pagination.next_cursor)}`)).json;
    const third = (await get(`${path}&cursor=${encodeURIComponent(second.pagination.next_cursor)}`)).json;
    const orders = [first, second, third].map(({ items }) => items.map(({ sort_order }: never) => sort_order));
    expect(orders).toEqual([[1, 2], [3, 4], [5]]);
    expect(third.pagination).toEqual({ has_more: false, next_cursor: null, count: 1 });
  });

  it("a cursor of another query is a 400", async () => {
    const event = await make.event(fixture.conference);
    await make.posters(event, [{}, {}]);
    const { next_cursor } = (await get(`events/${event}/posters?limit=1`)).json.pagination;
    expect((await get(`posters?cursor=${encodeURIComponent(next_cursor)}`)).status).toBe(400);
  });
});

describe("4.1 list order", () => {
  it("conferences by start_date", async () => {
    const organization = await make.organization();
    for (const start_date of ["2031-06-03", "2031-06-01", "2031-06-02"]) {
      await make.event(await make.conference({ start_date }), { hosts: [organization] });
    }
    const { items } = (await get("conferences", await make.organizationKey(organization))).json;
    expect(items).toMatchObject([
      { start_date: "2031-06-01" },
      { start_date: "2031-06-02" },
      { start_date: "2031-06-03" },
    ]);
  });

  it("events by start_time", async () => {
    const conference = await make.conference();
    const late = await make.event(conference, { start_time: "2031-05-02T18:00:00Z" });
    const early = await make.event(conference, { start_time: "2031-05-01T18:00:00Z" });
    expect(idsOf(await get(`conferences/${conference}/events`))).toEqual([early, late]);
  });

  it("posters by sort_order, then created_at", async () => {
    const event = await make.event(fixture.conference);
    const third = await make.poster(event, { sort_order: 2 });
    const second = await make.poster(event, { sort_order: 1, created_at: "2026-01-02T00:00:00Z" });
    const first = await make.poster(event, { sort_order: 1, created_at: "2026-01-01T00:00:00Z" });
    expect(idsOf(await get(`events/${event}/posters`))).toEqual([first, second, third]);
    expect(idsOf(await get(`posters?event_id=${event}`))).toEqual([first, second, third]);
  });
});

describe("4.1 conditional reads", () => {
  const reads = endpoints.filter(([method]) => method === "GET").map(([, path = ""]) => path);

  it.each(reads)("%s has an ETag, and If-None-Match gives a 304", async (path) => {
    const key = await make.conferenceKey(fixture.conference);
    const { headers } = await service.call(pathOf(path), { key, headers: { "accept-encoding": "identity" } });
    expect(headers.get("etag")).toMatch(/^"[^"]+"$/);
    expect(headers.get("cache-control")).toBe("private, no-cache");
    expect(headers.get("vary")).toMatch(/\bAuthorization\b/);
    const again = { key, headers: { "if-none-match": headers.get("etag") ?? "", "accept-encoding": "identity" } };
    expect((await service.call(pathOf(path), again)).status).toBe(304);
  });
});
