import { createHash } from "node:crypto";
import sql from "sql-template-tag";
import { beforeAll, describe, expect, it } from "vitest";
import { routes } from "../../src/registry.js";
import { errorBody } from "../support/error-body.js";
import { createMemoryLog } from "../support/memory-log.js";
import { send } from "../support/raw.js";
import { createRestFixture, pathFor, type RestFixture } from "../support/rest-fixture.js";
import { startService } from "../support/service.js";
import { useService } from "../support/setup.js";

const { service, db, make } = useService();
let fixture: RestFixture;
const jsonRoutes = routes.filter((route) => route.path !== "/images/:file");
const reads = routes.filter((route) => route.method === "GET");

beforeAll(async () => {
  fixture = await createRestFixture(make);
  await db.query(sql`
    update posters set metadata = '{"style": "bold", "speakers": ["Ada"], "nested": {"a": [1, null, "\\u00e9"]}}',
      posted_urls = '{"x": "https://x.example/1"}', created_at = '2026-03-04T05:06:07.089+02'
    where id = ${fixture.poster}`);
});

describe("every response", () => {
  it.each(jsonRoutes)("$method $path has exactly the declared fields, for every tier", async (route) => {
    for (const key of Object.values(fixture.keys)) {
      const body = route.method === "PATCH" ? { body: { posted_urls: {} } } : {};
      const reply = await service.call(pathFor(route, fixture), { key, method: route.method, ...body });
      expect(reply.status, reply.text).toBe(200);
      expect(reply.headers.get("content-type")).toBe("application/json; charset=utf-8");
      // Parsing drops undeclared fields and normalizes timestamps: either would make a difference here.
      expect(route.response.parse(reply.json)).toEqual(reply.json);
    }
  });

  it("has the security headers and a unique request id", async () => {
    const [one, two] = [await service.call("/api/svc"), await service.call("/api/svc/nothing")];
    for (const { headers } of [one, two]) {
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect(one.headers.get("x-request-id")).not.toBe(two.headers.get("x-request-id"));
  });

  it("has timestamps in UTC with milliseconds, dates without a time, and JSON as stored", async () => {
    const key = fixture.keys["super-admin"];
    const poster = (await service.call(`/api/svc/posters/${fixture.poster}`, { key })).json;
    expect(poster).toMatchObject({
      created_at: "2026-03-04T03:06:07.089Z",
      metadata: { style: "bold", speakers: ["Ada"], nested: { a: [1, null, "é"] } },
      posted_urls: { x: "https://x.example/1" },
    });
    const events = (await service.call(`/api/svc/conferences/${fixture.conference}/events`, { key })).json;
    expect(events.items[0]).toMatchObject({ start_time: "2031-05-01T18:00:00.000Z", venue: null, tier: null });
    const conferences = (await service.call("/api/svc/conferences", { key: fixture.keys.conference })).json;
    expect(conferences.items[0]).toMatchObject({ start_date: "2031-05-01", banner_thumbnail_url: null });
  });

  it("has absolute URLs for images that the service stores", async () => {
    const path = `/images/${fixture.image}`;
    const poster = await make.poster(fixture.event);
    await db.query(sql`update posters set image_url = ${path}, thumbnail_url = ${path} where id = ${poster}`);
    const reply = await service.call(`/api/svc/posters/${poster}`, { key: fixture.keys.organization });
    expect(reply.json).toMatchObject({
      image_url: `https://svc.test${path}`,
      thumbnail_url: `https://svc.test${path}`,
    });
  });
});

describe("conditional requests", () => {
  it.each(reads)("GET $path has a strong ETag; a match is a 304 without a body", async (route) => {
    const path = pathFor(route, fixture);
    // Other tests add rows concurrently, but none to this conference.
    const key = fixture.keys.conference;
    const first = await service.call(path, { key, headers: { "accept-encoding": "identity" } });
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]+"$/);
    for (const value of [etag, `"other" , W/${etag},"third"`]) {
      const reply = await send(service.url, "GET", path, { authorization: `Bearer ${key}`, "if-none-match": value });
      expect(reply.status, value).toBe(304);
      expect(reply.body).toBe("");
      expect(reply.headers).toMatchObject({ etag, "cache-control": first.headers.get("cache-control") });
      expect(reply.headers.vary ?? null).toBe(first.headers.get("vary"));
      expect(reply.headers["content-length"]).toBeUndefined();
      expect(reply.headers["content-type"]).toBeUndefined();
      if (route.access === "key") expect(reply.headers["x-ratelimit-remaining"]).toMatch(/^\d+$/);
    }
    const changed = await service.call(path, {
      key,
      headers: { "if-none-match": '"other"', "accept-encoding": "identity" },
    });
    expect([changed.status, changed.headers.get("etag")]).toEqual([200, etag]);
    if (route.path === "/images/:file") return;
    expect(first.headers.get("cache-control")).toBe("private, no-cache");
    expect(first.headers.get("vary")).toMatch(/^Authorization(, Accept-Encoding)?$/);
  });

  it("an ETag is compared weakly with a list, and matches nothing that is no ETag", async () => {
    const path = `/api/svc/posters/${fixture.poster}`;
    const key = fixture.keys.conference;
    const etag = (await service.call(path, { key })).headers.get("etag") ?? "";
    const statusWith = async (value: string) =>
      (await service.call(path, { key, headers: { "if-none-match": value } })).status;
    for (const value of [`W/${etag}`, `"other", ${etag}`, "*"]) expect(await statusWith(value), value).toBe(304);
    for (const value of [etag.replaceAll('"', ""), `"${etag}"`, "", "W/*", etag.toUpperCase()])
      expect(await statusWith(value), value).toBe(200);
  });

  it("an ETag changes with the response, and differs between callers with different responses", async () => {
    const poster = await make.poster(fixture.event);
    const path = `/api/svc/posters/${poster}`;
    const key = fixture.keys["super-admin"];
    const etag = async (target: string, who = key) => (await service.call(target, { key: who })).headers.get("etag");
    const before = await etag(path);
    expect(await etag(path, fixture.keys.organization)).toBe(before);
    await service.call(path, { key, body: { posted_urls: { x: "https://x.example/1" } } });
    expect(await etag(path)).not.toBe(before);
    expect((await service.call(path, { key, headers: { "if-none-match": before ?? "" } })).status).toBe(200);
    expect(await etag("/api/svc/ping", key)).not.toBe(await etag("/api/svc/ping", fixture.keys.organization));
  });

  it("an ETag covers the whole body, up to a change at its end", async () => {
    const event = await make.event(fixture.conference);
    const [last] = await make.posters(event, [{ sort_order: 100 }, ...Array.from({ length: 40 }, () => ({}))]);
    const list = () => service.call(`/api/svc/events/${event}/posters`, { key: fixture.keys["super-admin"] });
    const before = await list();
    expect(before.json.items.at(-1).id).toBe(last);
    await db.query(sql`update posters set title = 'changed' where id = ${last}`);
    const after = await list();
    expect(after.text.slice(0, -300)).toBe(before.text.slice(0, after.text.length - 300));
    expect(after.text.length).toBeGreaterThan(10_000);
    expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
  });

  it("an error is never a 304, and neither is a PATCH", async () => {
    const headers = { "if-none-match": "*" };
    expect((await service.call("/api/svc/ping", { headers })).status).toBe(401);
    expect((await service.call("/api/svc/nothing", { headers })).status).toBe(404);
    const patch = { key: fixture.keys["super-admin"], headers, body: { posted_urls: {} } };
    expect((await service.call(`/api/svc/posters/${fixture.poster}`, patch)).status).toBe(200);
  });
});

describe("images", () => {
  it("are public, immutable and have their content type", async () => {
    const reply = await fetch(`${service.url}/images/${fixture.image}`);
    expect(reply.status).toBe(200);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      "content-type": "image/png",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
    });
    const bytes = Buffer.from(await reply.arrayBuffer());
    expect(`${createHash("sha256").update(bytes).digest("hex")}.png`).toBe(fixture.image);
    const head = await send(service.url, "HEAD", `/images/${fixture.image}`);
    expect(head.headers["content-length"]).toBe("40");
  });

  it.each([
    ["image/jpeg", "jpg"],
    ["image/webp", "webp"],
  ] as const)("of type %s have the extension .%s", async (contentType, extension) => {
    const file = await make.image(contentType);
    expect(file).toMatch(new RegExp(`^[0-9a-f]{64}\\.${extension}$`));
    expect((await service.call(`/images/${file}`)).headers.get("content-type")).toBe(contentType);
  });

  it("are a 404 under any other name", async () => {
    const hash = fixture.image.slice(0, 64);
    const names = [
      hash,
      `${hash}.jpg`,
      `${hash}.PNG`,
      `${hash.toUpperCase()}.png`,
      `${"0".repeat(64)}.png`,
      `${hash}.png.png`,
      `${hash}.png%00`,
      `${hash}%2epng.png`,
      "..%2f..%2fpackage.json",
      "%2e%2e%2fpackage.json",
      "x.png",
    ];
    for (const name of names) {
      const reply = await service.call(`/images/${name}`);
      expect(reply.status, name).toBe(404);
      expect(reply.json).toEqual(errorBody("not_found", "Image not found"));
    }
  });
});

describe("a 500", () => {
  it("contains only the request id, under which the error is logged", async () => {
    const { log, lines, text } = createMemoryLog();
    const broken = await startService({}, undefined, log, {
      wrapDatabase: (db) => ({ ...db, query: () => Promise.reject(new Error("an internal reason")) }),
    });
    const key = await make.superAdminKey();
    const reply = await broken.call("/api/svc/posters?limit=1", { key });
    const id = reply.headers.get("x-request-id") ?? "";
    expect(reply.status).toBe(500);
    expect(reply.json).toEqual({
      error: `Internal error. If this persists, report it with this request id: ${id}`,
      code: "internal",
      request_id: id,
    });
    const logged = lines().find(({ request_id }) => request_id === id);
    expect(logged).toMatchObject({ method: "GET", route: "/api/svc/posters" });
    expect(JSON.stringify(logged)).toContain("an internal reason");
    expect(text()).not.toContain(key);
    await broken.close();
  });
});

describe("CORS", () => {
  const origin = "https://app.example.com";
  const preflight = {
    origin,
    "access-control-request-method": "PATCH",
    "access-control-request-headers": "authorization,content-type",
  };

  it("sends no headers to an origin that is not configured", async () => {
    const path = `/api/svc/posters/${fixture.poster}`;
    for (const method of ["GET", "OPTIONS"]) {
      const { headers } = await service.call(path, { method, key: fixture.keys["super-admin"], headers: preflight });
      expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });

  it("allows the configured origins only", async () => {
    const open = await startService({ corsOrigins: [origin, "https://other.example.com"] });
    const path = `/api/svc/posters/${fixture.poster}`;
    const key = fixture.keys["super-admin"];

    const preflighted = await open.call(path, { method: "OPTIONS", headers: preflight });
    expect(preflighted.status).toBe(204);
    expect(Object.fromEntries(preflighted.headers)).toMatchObject({
      "access-control-allow-origin": origin,
      "access-control-allow-methods": "PATCH",
      "access-control-allow-headers": "authorization,content-type",
      vary: "Origin",
    });

    for (const [status, target, callKey] of [
      [200, path, key],
      [401, path, undefined],
      [404, "/api/svc/nothing", undefined],
      [410, "/api/svc/marketing/queue", key],
    ] as const) {
      const reply = await open.call(target, {
        headers: { origin },
        ...(callKey === undefined ? {} : { key: callKey }),
      });
      expect(reply.status).toBe(status);
      expect(reply.headers.get("access-control-allow-origin")).toBe(origin);
      expect(reply.headers.get("access-control-expose-headers")).toContain("x-ratelimit-remaining");
      expect(reply.headers.get("vary")).toMatch(/^Origin/);
    }
    expect((await open.call(path, { key, headers: { origin } })).headers.get("vary")).toBe("Origin, Authorization");

    for (const foreign of [
      "https://evil.example.com",
      "null",
      "https://app.example.com.evil.com",
      "http://app.example.com",
    ]) {
      const { headers } = await open.call(path, { key, headers: { ...preflight, origin: foreign } });
      expect(headers.get("access-control-allow-origin")).toBeNull();
      expect(headers.get("vary")).toContain("Origin");
    }
    await open.close();
  });
});
