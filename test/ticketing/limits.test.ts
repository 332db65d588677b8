import { describe, expect, it } from "vitest";
import { upstream } from "./support/hostile-setup.js";
import { startProxy } from "./support/proxy.js";

describe("rate limit", () => {
  it("is shared by an organization's keys; other keys count individually", async () => {
    const limited = await startProxy(upstream.url, { limit: 3 });
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
