import { createHash } from "node:crypto";
import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { readRecords } from "../../src/records/history.js";
import { hashOfJson, storedRequest } from "../../src/records/recorded-change.js";
import { createEventFixture } from "../support/event-fixture.js";
import { createToolRunner } from "../support/tool-runner.js";
import { useProxy } from "../ticketing/support/use-proxy.js";

/** What a caller sends is recorded in bounded size: records are never removed. */

const limitBytes = 16 * 1024;

const { proxy, upstream, tenant } = useProxy();

describe("a request", () => {
  it("is stored as it is up to 16 KB", () => {
    const request = { text: "x".repeat(limitBytes - '{"text":""}'.length) };
    expect(storedRequest(request)).toBe(JSON.stringify(request));
    expect(JSON.parse(storedRequest({ text: `${request.text}x` }))).toHaveProperty("truncated");
  });

  it("is stored beyond that as its short values, digest and length", () => {
    const request = { registration_id: "3f0c2a9e", missing: undefined, text: `x${"é".repeat(20_000)}` };
    const json = JSON.stringify(request);
    const { truncated, ...kept } = JSON.parse(storedRequest(request));
    expect(kept).toEqual({ registration_id: "3f0c2a9e" });
    expect(truncated).toEqual({
      sha256: createHash("sha256").update(json).digest("hex"),
      bytes: Buffer.byteLength(json),
    });
  });
});

it("adds little to the records, however large the bodies of ticketing writes are", async () => {
  const guests = Array.from({ length: 1_200 }, (_, index) => ({
    email: `guest-${index}@example.com`,
    name: "A".repeat(80),
  }));
  const body = { event_id: tenant.event.id, guests };
  const writes = 5;
  for (let count = 0; count < writes; count += 1) {
    expect((await proxy.call("event/add-guests", { key: tenant.key, method: "POST", body })).status).toBe(200);
  }
  expect(upstream.received.every(({ body: sent }) => JSON.parse(sent).guests.length === guests.length)).toBe(true);
  const [row] = await proxy.db.query<{ bytes: number }>(sql`
    select sum(octet_length(request::text))::bigint as bytes from mutation_records where event_id = ${tenant.event.id}`);
  expect(JSON.stringify(body).length).toBeGreaterThan(8 * limitBytes);
  expect(row?.bytes).toBeLessThan(writes * limitBytes);

  const records = [];
  for await (const entry of readRecords(proxy.db, {
    organizationId: undefined,
    eventId: tenant.event.id,
    since: undefined,
  })) {
    records.push(entry);
  }
  expect(records).toHaveLength(2 * writes);
  expect(records[0]?.request).toMatchObject({
    method: "POST",
    ticketing_event_id: tenant.event.ticketingId,
    attempt_id: expect.any(String),
    request_id: expect.any(String),
    truncated: { bytes: expect.any(Number) },
  });
});

it("replays a commit whose request was stored in part, and refuses another request with its key", async () => {
  const fixture = await createEventFixture(proxy.db);
  const tools = createToolRunner(proxy.db, fixture);
  const description = "d".repeat(3_900);
  const social_links = Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [`site${index}`, `https://example.com/${"x".repeat(1_900)}`]),
  );
  const preview = await tools.run("update_organization_profile", { description, social_links });
  const commit = { ...preview.commit_with, reason: "a large change" };
  const first = await tools.run("update_organization_profile", commit);
  const [record] = await proxy.db.query<{ request: { truncated?: object }; request_hash: string }>(
    sql`select request, request_hash from mutation_records where id = ${first.record_id}`,
  );
  expect(record?.request).toHaveProperty("truncated");
  expect(record?.request_hash).toBe(
    hashOfJson({
      tool: "update_organization_profile",
      input: { description, social_links },
      reason: commit.reason,
      expected_version: commit.expected_version,
    }),
  );
  expect(await tools.run("update_organization_profile", commit)).toEqual(first);
  const other = { ...commit, description: `${description.slice(1)}e` };
  expect((await tools.refusal("update_organization_profile", other)).code).toBe("idempotency_conflict");
});
