import { METHODS } from "node:http";
import { beforeAll, describe, expect, it } from "vitest";
import { removedEndpoints, routes } from "../../src/registry.js";
import { send } from "../support/raw.js";
import { createRestFixture, pathFor, type RestFixture } from "../support/rest-fixture.js";
import { useService } from "../support/setup.js";

/** Every method on every path. */

const paths = [...new Set(routes.map((route) => route.path))];
const sendable = METHODS.filter((method) => method !== "CONNECT");
const usual = ["GET", "POST", "PUT", "PATCH", "DELETE", "TRACE"];
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

const { service, make } = useService();
let fixture: RestFixture;

beforeAll(async () => {
  fixture = await createRestFixture(make);
});

describe("methods", () => {
  const allowed = (path: string) => {
    const declared = routes.filter((route) => route.path === path).map((route) => route.method);
    return new Set<string>([...declared, "OPTIONS", ...(declared.includes("GET") ? ["HEAD"] : [])]);
  };
  const listed = (allow: string | null | undefined) => new Set((allow ?? "").split(", "));

  it.each(paths)("%s responds with 405 to every other method, without a key", async (path) => {
    const methods = path === "/api/svc/posters" ? sendable : usual;
    for (const method of methods.filter((one) => !allowed(path).has(one))) {
      const reply = await send(service.url, method, pathFor({ path }, fixture));
      expect(reply.status, method).toBe(405);
      expect(listed(reply.headers.allow)).toEqual(allowed(path));
      expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
      expect(JSON.parse(reply.body).error).toContain(`${method} is not allowed`);
    }
  });

  it.each(paths)("%s responds to OPTIONS without a key", async (path) => {
    const reply = await service.call(pathFor({ path }, fixture), { method: "OPTIONS" });
    expect(reply.status).toBe(204);
    expect(reply.text).toBe("");
    expect(listed(reply.headers.get("allow"))).toEqual(allowed(path));
  });

  it.each(routes.filter((route) => route.method === "GET"))("HEAD $path is the GET without a body", async (route) => {
    const path = pathFor(route, fixture);
    // Other files add conferences at the same time, which this key does not see.
    const headers = bearer(await make.conferenceKey(fixture.conference));
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
  it("are those in the specification, each with its own successor", () => {
    const successors = Object.fromEntries(removedEndpoints.map(({ path, successor }) => [path, successor]));
    expect(successors).toEqual({
      "/api/svc/marketing": "/api/svc/posters",
      "/api/svc/marketing/content": "/api/svc/posters",
      "/api/svc/marketing/content/:id": "/api/svc/posters/:id",
      "/api/svc/marketing/queue": "/api/svc/posters?published=true",
      "/api/svc/marketing/sync": "/api/svc/posters",
      "/api/svc/marketing/*": "/api/svc/posters",
      "/api/svc/events/:id/marketing": "/api/svc/events/:id/posters",
    });
  });

  it.each(["x", "", "content/1/2/3", "queue/", "sync/now", "%20", "content/"])(
    "every path under /api/svc/marketing/ is a 410: %s",
    async (rest) => {
      const path = `/api/svc/marketing/${rest}`;
      const reply = await service.call(path, { key: fixture.keys.conference });
      expect(reply.status).toBe(410);
      expect(reply.json.code).toBe("gone");
      expect((await service.call(path)).status).toBe(401);
    },
  );

  it("names the successor with {id} if the path has no uuid; its link is a valid URI", async () => {
    const { json, headers } = await service.call("/api/svc/marketing/content/x", { key: fixture.keys.conference });
    expect(json.error).toContain("use https://svc.test/api/svc/posters/{id} instead");
    expect(headers.get("link")).toBe('<https://svc.test/api/svc/posters/%7Bid%7D>; rel="successor-version"');
  });

  it.each(removedEndpoints)("$path is a 410 for every method and every tier", async (endpoint) => {
    const path = pathFor(endpoint, fixture);
    const successor = `https://svc.test${pathFor({ path: endpoint.successor }, fixture)}`;
    for (const method of [...usual, "HEAD", "OPTIONS", "PURGE"]) {
      const reply = await send(service.url, method, path, bearer(fixture.keys["super-admin"]));
      expect(reply.status, method).toBe(410);
      if (method !== "HEAD")
        expect(JSON.parse(reply.body).error).toBe(
          `This endpoint is deprecated and was removed: use ${successor} instead`,
        );
      expect(reply.headers.deprecation).toBe(`@${endpoint.deprecatedAt.getTime() / 1000}`);
      expect(new Date(reply.headers.sunset ?? "")).toEqual(endpoint.removedAt);
      expect(reply.headers.sunset).toMatch(/ GMT$/);
      expect(reply.headers.link).toBe(`<${successor}>; rel="successor-version"`);
    }
    for (const key of Object.values(fixture.keys)) expect((await service.call(path, { key })).status).toBe(410);
    expect((await service.call(path, { method: "POST", body: { any: "thing" } })).status).toBe(401);
  });
});
