import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { beforeAll, describe, expect, it } from "vitest";
import { type RequiredScope, scopes, scopesOf } from "../contract/scopes.js";
import { generateKey } from "../src/access/api-key.js";
import { removedEndpoints, routes } from "../src/registry.js";
import type { CallOptions, Reply } from "./support/call.js";
import { errorBody } from "./support/error-body.js";
import { createRestFixture, pathFor, type RestFixture } from "./support/rest-fixture.js";
import { startService } from "./support/service.js";
import { useService } from "./support/setup.js";

/** Checks that run before the handler of a route, tested on every route, so that new routes are covered too. */

const keyRoutes = routes.filter((route) => route.access === "key");
const scopedRoutes = keyRoutes.flatMap((route) => (route.scope === null ? [] : [{ ...route, scope: route.scope }]));
const guarded = [...keyRoutes, ...removedEndpoints.map(({ path }) => ({ method: "GET", path }))];

const { service, db, make } = useService();
const { service: limited } = useService(() => startService({ limits: { rest: 3, ticketing: 30, mcp: 120 } }));
let fixture: RestFixture;

beforeAll(async () => {
  fixture = await createRestFixture(make);
});

function expectUnauthorized(reply: Reply): void {
  expect(reply.status).toBe(401);
  expect(reply.json).toEqual(errorBody("unauthorized", "Invalid or expired API key"));
  expect(reply.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(reply.headers.get("www-authenticate")).toMatch(/^Bearer realm="svc"/);
  expect(reply.headers.get("x-ratelimit-limit"), "an unknown caller has no rate limit window").toBeNull();
}

function expectRateLimitHeaders(reply: Reply, limit: number): void {
  expect(reply.headers.get("x-ratelimit-limit")).toBe(String(limit));
  expect(Number(reply.headers.get("x-ratelimit-remaining"))).toBeLessThan(limit);
  const secondsLeft = Number(reply.headers.get("x-ratelimit-reset")) - Date.now() / 1000;
  expect(secondsLeft).toBeGreaterThan(0);
  expect(secondsLeft).toBeLessThanOrEqual(61);
}

/** Every kind of invalid key. */
const badAuthorizations: Record<string, () => Promise<string | undefined> | string | undefined> = {
  "no header": () => undefined,
  "an empty header": () => "",
  "another scheme": () => `Basic ${Buffer.from("svc:mk").toString("base64")}`,
  "a scheme without a key": () => "Bearer",
  "two keys": () => `Bearer ${fixture.keys["super-admin"]} ${fixture.keys["super-admin"]}`,
  "a key without its scheme": () => fixture.keys["super-admin"],
  "a short key": () => "Bearer svc_mk_short",
  "a key with another prefix": () => `Bearer ${fixture.keys["super-admin"].replace("svc_mk_", "SVC_MK_")}`,
  "a key with an extra character": () => `Bearer ${fixture.keys["super-admin"]}0`,
  "a quoted key": () => `Bearer "${fixture.keys["super-admin"]}"`,
  "an unknown key": () => `Bearer ${generateKey().key}`,
  "the hash of a key": async () => {
    const id = await make.keyId(fixture.keys["super-admin"]);
    const [row] = await db.query<{ hash: string }>(
      sql`select encode(key_hash, 'hex') as hash from api_keys where id = ${id}`,
    );
    return `Bearer ${row?.hash}`;
  },
  "a revoked key": async () => {
    const key = await make.conferenceKey(fixture.conference);
    await db.query(sql`update api_keys set revoked_at = now() where id = ${await make.keyId(key)}`);
    return `Bearer ${key}`;
  },
  "a deleted key": async () => {
    const key = await make.superAdminKey();
    await db.query(sql`delete from api_keys where id = ${await make.keyId(key)}`);
    return `Bearer ${key}`;
  },
};

const send = (authorization: string | undefined, { method, path }: { method: string; path: string }) =>
  service.call(pathFor({ path }, fixture), {
    method,
    headers: authorization === undefined ? {} : { authorization },
  });

it.each(Object.entries(badAuthorizations))("with %s, a request is 401", async (_name, authorization) => {
  expectUnauthorized(await send(await authorization(), { method: "GET", path: "/api/svc/ping" }));
});

it.each(["no header", "an unknown key", "a revoked key"])("with %s, every guarded route is 401", async (name) => {
  const authorization = await badAuthorizations[name]?.();
  for (const route of guarded) expectUnauthorized(await send(authorization, route));
});

describe("a key", () => {
  const ping = (key: string) => service.call("/api/svc/ping", { key });

  it("is rejected from the next request on once it is revoked or has expired", async () => {
    for (const change of [sql`revoked_at = now()`, sql`expires_at = now()`]) {
      const key = await make.superAdminKey();
      expect((await ping(key)).status).toBe(200);
      await db.query(sql`update api_keys set ${change} where id = ${await make.keyId(key)}`);
      expectUnauthorized(await ping(key));
    }
  });

  it("works only while its user is a member of the organization, in any role", async () => {
    const organization = await make.organization();
    const userId = await make.member(organization, "owner");
    const key = await make.organizationKey(organization, { userId });
    const member = sql`organization_id = ${organization} and user_id = ${userId}`;
    expect((await ping(key)).status).toBe(200);
    await db.query(sql`update members set role = 'member' where ${member}`);
    expect((await ping(key)).status).toBe(200);
    await db.query(sql`delete from members where ${member}`);
    expectUnauthorized(await ping(key));
    await db.query(sql`insert into members values (${organization}, ${userId}, 'admin')`);
    expect((await ping(key)).status).toBe(200);
  });

  it("gains and loses scopes from the next request on", async () => {
    const key = await make.organizationKey(fixture.organization, { scopes: [] });
    const id = await make.keyId(key);
    expect((await service.call("/api/svc/conferences", { key })).status).toBe(403);
    await db.query(sql`update api_keys set scopes = '{conferences:read}' where id = ${id}`);
    expect((await service.call("/api/svc/conferences", { key })).status).toBe(200);
    await db.query(sql`update api_keys set scopes = '{}' where id = ${id}`);
    expect((await service.call("/api/svc/conferences", { key })).status).toBe(403);
  });
});

describe("scopes of an organization key", () => {
  it.each(scopedRoutes)("$method $path requires $scope and no other", async ({ method, path, scope }) => {
    const sufficient = scopesOf(scope);
    const others = scopes.filter((one) => !sufficient.includes(one));
    const without = await make.organizationKey(fixture.organization, { scopes: others });
    const refused = await service.call(pathFor({ path }, fixture), { method, key: without });
    expect(refused.status).toBe(403);
    expect(refused.json.error).toContain(sufficient.join(" or "));
    expectRateLimitHeaders(refused, 1_000_000);

    for (const one of sufficient) {
      const only = await make.organizationKey(fixture.organization, { scopes: [one] });
      const allowed = await service.call(pathFor({ path }, fixture), { method, key: only });
      // A PATCH without a body passes the scope check and fails the next one.
      expect(allowed.status, allowed.text).toBe(method === "PATCH" ? 400 : 200);
    }
  });

  it("are not required by ping and removed endpoints", async () => {
    const key = await make.organizationKey(fixture.organization, { scopes: [] });
    expect((await service.call("/api/svc/ping", { key })).status).toBe(200);
    for (const { path } of removedEndpoints) {
      expect((await service.call(pathFor({ path }, fixture), { key })).status).toBe(410);
    }
  });

  it("are as specified", () => {
    const declared = Object.fromEntries(keyRoutes.map((route) => [`${route.method} ${route.path}`, route.scope]));
    expect(declared).toMatchObject({
      "GET /api/svc/ping": null,
      "GET /api/svc/conferences": ["conferences:read", "org:read"],
      "GET /api/svc/conferences/:id/events": ["conferences:read", "org:read"],
      "GET /api/svc/posters": "conferences:read",
      "GET /api/svc/events/:id/posters": "conferences:read",
      "GET /api/svc/posters/:id": "conferences:read",
      "PATCH /api/svc/posters/:id": "events:write",
    } satisfies Record<string, RequiredScope | null>);
  });
});

describe("above the rate limit", () => {
  const removed = removedEndpoints[0]?.path ?? "";
  /** One hook counts, and refuses invalid keys: above, every route has it. */
  const three = guarded.filter(({ path }) => ["/api/svc/ping", "/api/svc/posters/:id", removed].includes(path));

  it.each(three)("$method $path is 429", async ({ method, path }) => {
    const key = await make.superAdminKey();
    for (const remaining of ["2", "1", "0"]) {
      const reply = await limited.call(pathFor({ path }, fixture), { method, key });
      expect([200, 400, 410]).toContain(reply.status);
      expect(reply.headers.get("x-ratelimit-remaining")).toBe(remaining);
    }
    const reply = await limited.call(pathFor({ path }, fixture), { method, key });
    expect(reply.status).toBe(429);
    expect(reply.json.error).toMatch(/^Rate limit exceeded/);
    expect(reply.headers.get("x-ratelimit-remaining")).toBe("0");
    expectRateLimitHeaders(reply, 3);
    const retryAfter = Number(reply.headers.get("retry-after"));
    expect(retryAfter).toBeGreaterThanOrEqual(1);
    expect(retryAfter).toBeLessThanOrEqual(60);
  });

  it("counts per key over all routes, including 304, 4xx and HEAD", async () => {
    const [key, other] = [await make.superAdminKey(), await make.superAdminKey()];
    const { headers } = await limited.call("/api/svc/ping", { key });
    await limited.call("/api/svc/ping", { key, headers: { "if-none-match": headers.get("etag") ?? "" } });
    await limited.call("/api/svc/posters?limit=0", { key, method: "HEAD" });
    expect((await limited.call("/api/svc/conferences", { key })).status).toBe(429);
    expect((await limited.call("/api/svc/conferences", { key: other })).status).toBe(200);
  });

  it("does not count public routes, OPTIONS, 404 and 405", async () => {
    const key = await make.superAdminKey();
    for (let i = 0; i < 5; i++) {
      expect((await limited.call("/api/svc", { key })).status).toBe(200);
      expect((await limited.call("/api/svc/ping", { key, method: "OPTIONS" })).status).toBe(204);
      expect((await limited.call("/api/svc/ping", { key, method: "POST" })).status).toBe(405);
      expect((await limited.call("/api/svc/nothing", { key })).status).toBe(404);
    }
    expect((await limited.call("/api/svc/ping", { key })).headers.get("x-ratelimit-remaining")).toBe("2");
  });
});

describe("rate-limit headers", () => {
  it("are on every authenticated response, whatever its status", async () => {
    const { poster, keys } = fixture;
    const scopeless = await make.organizationKey(fixture.organization, { scopes: [] });
    const requests: [number, string, CallOptions][] = [
      [200, `/api/svc/posters/${poster}`, {}],
      [200, `/api/svc/posters/${poster}`, { body: { posted_urls: {} } }],
      [304, `/api/svc/posters/${poster}`, { headers: { "if-none-match": "*" } }],
      [400, "/api/svc/posters?limit=0", {}],
      [400, `/api/svc/posters/${poster}`, { body: "{" }],
      [403, "/api/svc/posters", { key: scopeless }],
      [404, `/api/svc/posters/${randomUUID()}`, {}],
      [410, "/api/svc/marketing/queue", {}],
      [413, `/api/svc/posters/${poster}`, { body: " ".repeat(70_000) }],
      [415, `/api/svc/posters/${poster}`, { body: "{}", headers: { "content-type": "text/plain" } }],
    ];
    for (const [status, path, options] of requests) {
      const reply = await service.call(path, { key: keys["super-admin"], ...options });
      expect(reply.status, `${path} ${reply.text}`).toBe(status);
      expectRateLimitHeaders(reply, 1_000_000);
    }
  });
});

describe("the order of checks", () => {
  const poster = () => `/api/svc/posters/${fixture.poster}`;

  it("path and method before the key", async () => {
    expect((await service.call("/api/svc/nothing")).status).toBe(404);
    expect((await service.call(poster(), { method: "DELETE" })).status).toBe(405);
  });

  it("the key before everything else", async () => {
    const key = generateKey().key;
    expectUnauthorized(await service.call("/api/svc/posters/not-a-uuid?limit=0", { key }));
    expectUnauthorized(await service.call(poster(), { key, body: "{not json" }));
    expectUnauthorized(await service.call(poster(), { key, body: "x".repeat(1_000_000) }));
    expectUnauthorized(await service.call(poster(), { key, body: "x", headers: { "content-type": "text/plain" } }));
  });

  it("the rate limit before scope and input", async () => {
    const key = await make.organizationKey(fixture.organization, { scopes: [] });
    const statuses = [];
    for (let i = 0; i < 4; i++) statuses.push((await limited.call("/api/svc/posters?limit=0", { key })).status);
    expect(statuses).toEqual([403, 403, 403, 429]);
  });

  it("the scope before the input", async () => {
    const key = await make.organizationKey(fixture.organization, { scopes: ["org:write"] });
    for (const path of ["/api/svc/posters?limit=0", "/api/svc/posters/not-a-uuid", "/api/svc/conferences?cursor=x"]) {
      expect((await service.call(path, { key })).status).toBe(403);
    }
    expect((await service.call("/api/svc/posters/not-a-uuid", { key, body: "{" })).status).toBe(403);
  });

  it("the input before the row", async () => {
    const key = fixture.keys["super-admin"];
    const unknown = randomUUID();
    for (const path of [
      `/api/svc/conferences/${unknown}/events?limit=0`,
      `/api/svc/conferences/${unknown}/events?cursor=x`,
      `/api/svc/conferences/${unknown}/events?category=x`,
      `/api/svc/events/${unknown}/posters?published=x`,
      `/api/svc/events/${unknown}/posters?cursor=x`,
      `/api/svc/posters?event_id=${unknown}&cursor=x`,
    ]) {
      expect((await service.call(path, { key })).status, path).toBe(400);
    }
    expect((await service.call(`/api/svc/posters/${unknown}`, { key, body: {} })).status).toBe(400);
  });

  it("existence of the row before access to it", async () => {
    const key = await make.organizationKey(await make.organization());
    expect((await service.call(`/api/svc/posters/${randomUUID()}`, { key })).status).toBe(404);
    expect((await service.call(poster(), { key })).status).toBe(403);
  });
});
