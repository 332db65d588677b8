import { describe, expect, it } from "vitest";
import { call } from "../support/call.js";
import { expectedOperations, methods, paths, ticketTypeId } from "./support/expected-operations.js";
import { describeOperations } from "./support/operation-contract.js";
import { startProxy } from "./support/proxy.js";
import { httpResponse } from "./support/recording-upstream.js";

const world = describeOperations(expectedOperations, (request) =>
  request.path.endsWith("/ticket-types/list")
    ? httpResponse(200, { ticket_types: [{ id: ticketTypeId }] })
    : httpResponse(200, { ok: true }),
);

describe("methods", () => {
  function allowedMethods(path: string): string[] {
    const rows = expectedOperations.filter((row) => row.path === path);
    return rows.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  }

  it("HEAD is a GET without a body, and a path may end with a slash", async () => {
    for (const path of ["event/get", "event/get/", "event/get-guests/"]) {
      const options = { key: world.key };
      const [read, head] = [
        await world.proxy.call(`${path}?event_id=${world.hosted.id}`, options),
        await world.proxy.call(`${path}?event_id=${world.hosted.id}`, { ...options, method: "HEAD" }),
      ];
      expect([read.status, head.status, head.text]).toEqual([200, 200, ""]);
      expect(head.headers.get("content-type")).toBe(read.headers.get("content-type"));
    }
    expect(world.upstream.received.map(({ method }) => method)).toEqual(Array(6).fill("GET"));
  });

  const undeclared = paths.flatMap((path) =>
    [...methods, "HEAD"].filter((method) => !allowedMethods(path).includes(method)).map((method) => ({ path, method })),
  );

  it.each(undeclared)("$method $path returns 405 with Allow", async ({ path, method }) => {
    const reply = await world.proxy.call(path, { method, key: world.key });
    expect(reply.status).toBe(405);
    expect(reply.headers.get("allow")).toBe([...allowedMethods(path), "OPTIONS"].join(", "));
    expect(world.upstream.received).toEqual([]);
  });

  it("OPTIONS returns the allowed methods of a path", async () => {
    const reply = await world.proxy.call("event/coupons", { method: "OPTIONS" });
    expect([reply.status, reply.headers.get("allow")]).toEqual([204, "GET, HEAD, POST, PUT, PATCH, OPTIONS"]);
  });
});

describe("the API description", () => {
  it("lists every path, its scope and the rate limit", async () => {
    const { json: description } = await call(world.proxy.url, "/api/svc");
    const described: Record<string, string>[] = description.ticketing.paths;
    expect(described.map(({ method, path, scope }) => `${method} ${path} ${scope}`)).toEqual(
      expectedOperations.map(({ method, path, scope }) => `${method} /api/ticketing/${path} ${scope}`),
    );
    expect(description.ticketing.methods).toEqual(methods);
    expect(description.limits.ticketing).toMatchObject({ requests: 1_000_000, per: "organization" });
  });
});

describe("rate limit", () => {
  it("is shared by an organization's keys; other keys count individually", async () => {
    const limited = await startProxy(world.upstream.url, { limit: 3 });
    try {
      const organization = await limited.make.organization();
      const event = await limited.linkedEvent([organization]);
      const keys = [await limited.make.organizationKey(organization), await limited.make.organizationKey(organization)];
      const call = (as: string | undefined) => limited.call(`event/get?id=${event.id}`, { key: as ?? "" });
      const first = await call(keys[0]);
      expect(first.status).toBe(200);
      expect(first.headers.get("x-ratelimit-limit")).toBe("3");
      expect(first.headers.get("x-ratelimit-remaining")).toBe("2");
      expect((await call(keys[1])).headers.get("x-ratelimit-remaining")).toBe("1");
      expect((await limited.call("event/get", { key: keys[0] ?? "" })).status).toBe(400);
      const refused = await call(keys[1]);
      expect(refused.status).toBe(429);
      expect(refused.json.error).toMatch(/^Rate limit exceeded/);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      const admin = await call(await limited.make.superAdminKey());
      expect([admin.status, admin.headers.get("x-ratelimit-remaining")]).toEqual([403, "2"]);
      const other = await limited.make.organizationKey(await limited.make.organization());
      expect((await call(other)).status).toBe(403);
    } finally {
      await limited.close();
    }
  });
});

describe("without a configured platform", () => {
  it("returns 503", async () => {
    const unconfigured = await startProxy(null);
    try {
      const organization = await unconfigured.make.organization();
      const event = await unconfigured.linkedEvent([organization]);
      const organizationKey = await unconfigured.make.organizationKey(organization);
      expect((await unconfigured.call(`event/get?id=${event.id}`)).status).toBe(401);
      const reply = await unconfigured.call(`event/get?id=${event.id}`, { key: organizationKey });
      expect(reply.status).toBe(503);
      expect(reply.json.error).toContain("TICKETING_URL");
    } finally {
      await unconfigured.close();
    }
  });
});
