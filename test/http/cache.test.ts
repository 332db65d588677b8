import sql from "sql-template-tag";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Database, Queryable } from "../../src/infra/database/db.js";
import { routes } from "../../src/registry.js";
import type { KeyRoute } from "../../src/route.js";
import { useFreshDatabase } from "../support/fresh-database.js";
import { type Make, makerOn } from "../support/make.js";
import { createRestFixture, pathFor, type RestFixture } from "../support/rest-fixture.js";
import { type Service, startService } from "../support/service.js";

const cachedRoutes = routes.filter((route): route is KeyRoute => route.access === "key" && route.cache !== undefined);

let reads = 0;
const fresh = useFreshDatabase();
let service: Service;
let uncached: Service;
let db: Database;
let make: Make;
let fixture: RestFixture;
// A separate database, because a super-admin key sees the rows of other tests come and go.
beforeAll(async () => {
  db = fresh.db;
  make = makerOn(db);
  fixture = await createRestFixture(make);
  const oneProcess = "each process has its own cache";
  service = await startService({}, fresh.connection, undefined, { wrapDatabase: countReads, oneProcess });
  uncached = await startService({ cacheBytes: 0 }, fresh.connection);
});
afterAll(async () => {
  await service.close();
  await uncached.close();
});
beforeEach(() => {
  reads = 0;
});

/** Counts the named statements of requests beside look-ups of keys. */
function countReads(opened: Database): Database {
  const query: Queryable["query"] = (statement, name) => {
    if (name !== undefined) reads += 1;
    return opened.query(statement, name);
  };
  return { ...opened, query };
}

it("every GET of conferences, events and posters is cached", () => {
  const paths = routes.filter(({ access, method, tag }) => access === "key" && method === "GET" && tag !== "service");
  expect(cachedRoutes.map(({ operationId }) => operationId)).toEqual(
    paths.filter(({ tag }) => tag === "conferences" || tag === "posters").map(({ operationId }) => operationId),
  );
});

describe.each(cachedRoutes)("$operationId", (route) => {
  const path = (extra = "") => `${pathFor(route, fixture)}${extra}`;

  it.each([
    ["super-admin", {}],
    ["conference", { "accept-encoding": "gzip" }],
    ["organization", { "if-none-match": "*" }],
    ["organization", { "if-none-match": '"other"' }],
  ] as const)("sends to a %s key what it would without a cache, with %o", async (tier, headers) => {
    const get = async (from: Service, method = "GET") =>
      comparable(await from.call(path(), { key: fixture.keys[tier], headers, method }));
    const expected = await get(uncached);
    await get(service);
    const before = reads;
    expect(await get(service)).toEqual(expected);
    expect(reads).toBe(before);
    expect((await get(service, "HEAD")).headers).toEqual((await get(uncached, "HEAD")).headers);
  });

  it("responds with a 304 without a body", async () => {
    const { headers } = await service.call(path(), { key: fixture.keys.organization });
    const known = { "if-none-match": headers.get("etag") ?? "" };
    const reply = await service.call(path(), { key: fixture.keys.organization, headers: known });
    expect({ status: reply.status, text: reply.text }).toEqual({ status: 304, text: "" });
    expect(reply.headers.get("content-length")).toBeNull();
  });

  it("is shared by keys with the same view", async () => {
    await service.call(path(), { key: fixture.keys.organization });
    const another = await make.organizationKey(fixture.organization);
    reads = 0;
    expect((await service.call(path(), { key: another })).status).toBe(200);
    expect(reads).toBe(0);
  });

  it("requires scope and an active key of everybody who gets it from the cache", async () => {
    const withoutScope = await make.organizationKey(fixture.organization, { scopes: ["org:write"] });
    const revoked = await make.organizationKey(fixture.organization);
    expect((await service.call(path(), { key: revoked })).status).toBe(200);
    await db.query(sql`update api_keys set revoked_at = now() where id = ${await make.keyId(revoked)}`);
    expect((await service.call(path(), { key: revoked })).status).toBe(401);
    expect((await service.call(path(), { key: withoutScope })).status).toBe(403);
    expect((await service.call(path(), {})).status).toBe(401);
  });

  it("does not keep responses to parameters that it does not have", async () => {
    const first = await service.call(path("?nothing=1"), { key: fixture.keys.organization });
    const before = reads;
    const second = await service.call(path("?nothing=1"), { key: fixture.keys.organization });
    expect(reads).toBeGreaterThan(before);
    expect(second.headers.get("x-ignored-query-parameters")).toBe("nothing");
    expect(comparable(second)).toEqual(comparable(first));
  });
});

/** Everything but what differs from request to request. */
function comparable({ status, headers, text }: { status: number; headers: Headers; text: string }) {
  const varying = ["date", "x-request-id", "x-ratelimit-remaining", "x-ratelimit-reset"];
  return { status, text, headers: [...headers].filter(([name]) => !varying.includes(name)) };
}

it("keeps the link to the next page", async () => {
  await make.posters(fixture.event, [{}, {}]);
  const get = () =>
    service.call(`/api/svc/events/${fixture.event}/posters?limit=1`, { key: fixture.keys.organization });
  const links = [(await get()).headers.get("link"), (await get()).headers.get("link")];
  expect(links[0]).toContain('rel="next"');
  expect(links[1]).toBe(links[0]);
});

it("compresses a page once for each coding", async () => {
  const event = await make.event(fixture.conference, { hosts: [fixture.organization] });
  await make.posters(
    event,
    Array.from({ length: 20 }, () => ({})),
  );
  const path = `/api/svc/events/${event}/posters`;
  const get = (coding: string) =>
    service.call(path, { key: fixture.keys.organization, headers: { "accept-encoding": coding } });
  const plain = await get("identity");
  for (const coding of ["gzip", "br", "gzip", "br"]) {
    const { headers, text } = await get(coding);
    expect([headers.get("content-encoding"), text]).toEqual([coding, plain.text]);
    expect(headers.get("etag")).toBe(`${plain.headers.get("etag")?.slice(0, -1)}-${coding}"`);
  }
});

it("counts responses from the cache against the rate limit", async () => {
  const limited = await startService({ limits: { rest: 3, mcp: 1, ticketing: 1 } });
  try {
    const key = await makerOn(limited.db).superAdminKey();
    const statuses = [];
    for (let i = 0; i < 4; i += 1) statuses.push((await limited.call("/api/svc/conferences", { key })).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
  } finally {
    await limited.close();
  }
});
