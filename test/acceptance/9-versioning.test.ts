import { beforeAll, describe, expect, it } from "vitest";
import { useService } from "../support/setup.js";
import { specTable } from "./spec-table.js";

// Section 9 of the specification: versioning.

const { service, make } = useService();
let key: string;

beforeAll(async () => {
  key = await make.superAdminKey();
});

describe("9: version", () => {
  it('The API description reports version "5"', async () => {
    expect((await service.call("/api/svc")).json.version).toBe("5");
    expect((await service.call("/openapi.json")).json.info.version).toBe("5");
  });

  it("There is no version segment in paths", async () => {
    const paths = Object.keys((await service.call("/openapi.json")).json.paths);
    expect(paths).toEqual(expect.arrayContaining(["/api/svc/ping", "/api/ticketing/event/get", "/api/mcp"]));
    expect(paths.filter((path) => /\/v?\d+(\/|$)/.test(path))).toEqual([]);
    for (const version of ["v5", "5", "v1"]) {
      expect((await service.call(`/api/svc/${version}/ping`, { key })).status).toBe(404);
      expect((await service.call(`/api/${version}/svc/ping`, { key })).status).toBe(404);
    }
  });
});

describe("9: deprecated endpoints return 410; the poster endpoints replace them", () => {
  it.each(
    specTable(`
      | Path |
      |---|
      | /api/svc/marketing/content |
      | /api/svc/marketing/content/{id} |
      | /api/svc/marketing/queue |
      | /api/svc/marketing/sync |
      | /api/svc/events/{id}/marketing |`),
  )("%s", async (path) => {
    const event = await make.event(await make.conference());
    const poster = await make.poster(event);
    const id = path.includes("events") ? event : poster;
    const { status, headers, json } = await service.call(path.replace("{id}", id), { key });
    expect(status).toBe(410);
    expect(json.error).toContain("deprecated");
    const successor = /^<(?<url>[^>]+)>; rel="successor-version"$/.exec(headers.get("link") ?? "")?.groups?.url ?? "";
    const { pathname, search } = new URL(successor);
    expect(pathname).toMatch(/\/posters\b/);
    expect((await service.call(pathname + search, { key })).status).toBe(200);
  });
});
