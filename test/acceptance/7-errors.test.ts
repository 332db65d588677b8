import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { Reply } from "../support/call.js";
import { createRestFixture, type RestFixture } from "../support/rest-fixture.js";
import { startService } from "../support/service.js";
import { useService } from "../support/setup.js";
import { specTable } from "./spec-table.js";

// Section 7 of the specification: the statuses, texts and conditions of errors.

const { service, make } = useService();
let fixture: RestFixture;
let key: string;

beforeAll(async () => {
  fixture = await createRestFixture(make);
  key = fixture.keys["super-admin"];
});

const patch = (body: unknown, id = fixture.poster) =>
  service.call(`/api/svc/posters/${id}`, { key, method: "PATCH", body });

/** One response for each condition that a row of the table names. */
const conditions: Record<string, () => Promise<Reply[]>> = {
  "invalid JSON body, or `posted_urls` missing": () => Promise.all([patch("{"), patch({})]),
  "key missing, invalid, expired or inactive": () =>
    Promise.all([service.call("/api/svc/ping"), service.call("/api/svc/ping", { key: `svc_mk_${"a".repeat(43)}` })]),
  "key has no access to the requested resource": async () => {
    const stranger = await make.organizationKey(await make.organization());
    return [await service.call(`/api/svc/posters/${fixture.poster}`, { key: stranger })];
  },
  "no poster with that id": async () => [
    await service.call(`/api/svc/posters/${randomUUID()}`, { key }),
    await patch({ posted_urls: {} }, randomUUID()),
  ],
  "removed marketing endpoint; use the poster endpoints": async () => [
    await service.call("/api/svc/marketing/content", { key }),
  ],
  "rate limit exceeded; wait for window reset": async () => {
    const limited = await startService({ limits: { rest: 1, ticketing: 1, mcp: 1 } });
    const mine = await make.superAdminKey();
    await limited.call("/api/svc/ping", { key: mine });
    const reply = await limited.call("/api/svc/ping", { key: mine });
    await limited.close();
    return [reply];
  },
  "server or database error": async () => {
    const broken = await startService({}, undefined, undefined, {
      wrapDatabase: (db) => ({ ...db, query: () => Promise.reject(new Error("an internal reason")) }),
    });
    const reply = await broken.call("/api/svc/posters?limit=1", { key });
    await broken.close();
    return [reply];
  },
};

const errors = specTable(`
  | Status | Error text | Condition |
  |---|---|---|
  | 400 | free text | invalid JSON body, or \`posted_urls\` missing |
  | 401 | "Invalid or expired API key" | key missing, invalid, expired or inactive |
  | 403 | free text | key has no access to the requested resource |
  | 404 | "Poster not found" | no poster with that id |
  | 410 | text stating the endpoint is deprecated | removed marketing endpoint; use the poster endpoints |
  | 429 | text beginning "Rate limit exceeded" | rate limit exceeded; wait for window reset |
  | 500 | free text | server or database error |`);

const textMatching: Record<string, RegExp> = {
  "free text": /\S/,
  '"Invalid or expired API key"': /^Invalid or expired API key$/,
  '"Poster not found"': /^Poster not found$/,
  "text stating the endpoint is deprecated": /endpoint is deprecated/,
  'text beginning "Rate limit exceeded"': /^Rate limit exceeded/,
};

describe("7: errors", () => {
  it.each(errors)("%s: %s: %s", async (status, text, condition) => {
    const replies = (await conditions[condition]?.()) ?? [];
    expect(replies.length).toBeGreaterThan(0);
    for (const reply of replies) {
      expect(reply.status).toBe(Number(status));
      expect(reply.headers.get("content-type")).toMatch(/^application\/json\b/);
      expect(reply.json.error).toMatch(textMatching[text] ?? /^$/);
    }
  });

  it.each(errors.map(([status]) => status))("%s is in the API description", async (status) => {
    const described = (await service.call("/api/svc")).json.errors;
    expect(described.map((error: { status: number }) => String(error.status))).toContain(status);
  });
});
