import { METHODS } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { removedEndpoints, routes } from "../../src/registry.js";
import { type Make, makerOn } from "../support/make.js";
import { send } from "../support/raw.js";
import { type Service, startService } from "../support/service.js";
import { makeWorld, pathIn, type World } from "../support/world.js";

/** Every method on every path, declared or not. */

const paths = [...new Set(routes.map((route) => route.path))];
const sendable = METHODS.filter((method) => method !== "CONNECT");
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

let service: Service;
let make: Make;
let world: World;

beforeAll(async () => {
  service = await startService();
  make = makerOn(service.db);
  world = await makeWorld(make);
});
afterAll(() => service.close());

describe("methods", () => {
  const allowed = (path: string) => {
    const declared = routes.filter((route) => route.path === path).map((route) => route.method);
    return new Set<string>([...declared, "OPTIONS", ...(declared.includes("GET") ? ["HEAD"] : [])]);
  };
  const listed = (allow: string | null | undefined) => new Set((allow ?? "").split(", "));

  it.each(paths)("%s answers 405 to every other method, before any key is asked for", async (path) => {
    for (const method of sendable.filter((one) => !allowed(path).has(one))) {
      const reply = await send(service.url, method, pathIn(world, { path }));
      expect(reply.status, method).toBe(405);
      expect(listed(reply.headers.allow)).toEqual(allowed(path));
      expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
      expect(JSON.parse(reply.body).error).toContain(`${method} is not allowed`);
    }
  });

  it.each(paths)("%s answers OPTIONS without a key", async (path) => {
    const reply = await service.call(pathIn(world, { path }), { method: "OPTIONS" });
    expect(reply.status).toBe(204);
    expect(reply.text).toBe("");
    expect(listed(reply.headers.get("allow"))).toEqual(allowed(path));
  });

  it.each(routes.filter((route) => route.method === "GET"))("HEAD $path is its GET without the body", async (route) => {
    const path = pathIn(world, route);
    const headers = bearer(await make.superAdminKey());
    const get = await send(service.url, "GET", path, headers);
    const head = await send(service.url, "HEAD", path, headers);
    const volatile = { date: "", "x-request-id": "", "x-ratelimit-remaining": "", "x-ratelimit-reset": "" };
    expect(get.status).toBe(200);
    expect(head.status).toBe(200);
    expect(head.body).toBe("");
    expect({ ...head.headers, ...volatile }).toEqual({ ...get.headers, ...volatile });
  });

  it("HEAD of an error has its status and no body", async () => {
    const reply = await send(service.url, "HEAD", "/api/svc/ping");
    expect(reply).toMatchObject({ status: 401, body: "" });
  });
});

describe("removed endpoints", () => {
  it("are the five of the specification", () => {
    expect(removedEndpoints.map(({ path }) => path).sort()).toEqual([
      "/api/svc/events/:id/marketing",
      "/api/svc/marketing/content",
      "/api/svc/marketing/content/:id",
      "/api/svc/marketing/queue",
      "/api/svc/marketing/sync",
    ]);
  });

  it.each(removedEndpoints)("$path is gone for every method and every tier", async (endpoint) => {
    const path = pathIn(world, endpoint);
    for (const method of sendable) {
      const reply = await send(service.url, method, path, bearer(world.keys["super-admin"]));
      expect(reply.status, method).toBe(410);
      if (method !== "HEAD")
        expect(JSON.parse(reply.body).error).toMatch(/^This endpoint is deprecated.*\/api\/svc\/posters/);
      expect(reply.headers.deprecation).toBe(`@${endpoint.deprecatedAt.getTime() / 1000}`);
      expect(new Date(reply.headers.sunset ?? "")).toEqual(endpoint.removedAt);
      expect(reply.headers.sunset).toMatch(/ GMT$/);
      expect(reply.headers.link).toMatch(/^<https:\/\/svc\.test\/api\/svc\/posters>; rel="successor-version"$/);
    }
    for (const key of Object.values(world.keys)) expect((await service.call(path, { key })).status).toBe(410);
    expect((await service.call(path, { method: "POST", body: { any: "thing" } })).status).toBe(401);
  });
});
