import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { useService } from "../support/setup.js";
import { specTable } from "./spec-table.js";

// Section 4.2 of the specification: removed endpoints.

const { service, make } = useService();
let key: string;

beforeAll(async () => {
  key = await make.superAdminKey();
});

const removed = specTable(`
  | Path |
  |---|
  | /api/svc/marketing/content |
  | /api/svc/marketing/content/{id} |
  | /api/svc/marketing/queue |
  | /api/svc/marketing/sync |
  | /api/svc/events/{id}/marketing |`);

describe.each(removed)("4.2 %s", (path) => {
  const send = (method: string, who?: string) =>
    service.call(path.replace("{id}", randomUUID()), { method, ...(who === undefined ? {} : { key: who }) });

  it.each(["GET", "POST", "PUT", "PATCH", "DELETE"])("%s answers 410 Gone", async (method) => {
    const reply = await send(method, key);
    expect(reply.status).toBe(410);
    expect(reply.json.error).toMatch(/^This endpoint is deprecated/);
  });

  it("names the poster endpoint to use, in its text and as successor-version", async () => {
    const { json, headers } = await send("GET", key);
    expect(json.error).toMatch(/\/api\/svc\/(posters|events\/[^/]+\/posters)/);
    expect(headers.get("link")).toMatch(/^<[^>]*posters[^>]*>; rel="successor-version"$/);
  });

  it("has Deprecation and Sunset headers", async () => {
    const { headers } = await send("GET", key);
    expect(headers.get("deprecation")).toMatch(/^@\d+$/);
    expect(new Date(headers.get("sunset") ?? "").toUTCString()).toBe(headers.get("sunset"));
  });

  it("answers 410 to a key of every tier", async () => {
    const conferenceKey = await make.conferenceKey(await make.conference());
    const organizationKey = await make.organizationKey(await make.organization());
    for (const who of [conferenceKey, organizationKey]) expect((await send("GET", who)).status).toBe(410);
  });

  it("answers 401 without a key", async () => {
    expect((await send("GET")).status).toBe(401);
  });

  it("is listed as removed in the API description", async () => {
    const { removed_endpoints } = (await service.call("/api/svc")).json;
    expect(removed_endpoints).toContainEqual(expect.objectContaining({ path, status: 410 }));
  });
});
