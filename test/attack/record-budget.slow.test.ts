import { randomBytes, randomInt } from "node:crypto";
import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { allowRecordChange, recordBudget } from "../../src/records/recorded-change.js";
import { call } from "../support/call.js";
import { createEventFixture } from "../support/event-fixture.js";
import { createToolRunner } from "../support/tool-runner.js";
import { createTenant, type Tenant, useProxy } from "../ticketing/support/use-proxy.js";

/** What one organization can add to the records: without a budget 135 MB a minute with one key, most of it in reordering. */

const { proxy, upstream } = useProxy();

const storedBytes = async (organizationId: string): Promise<{ records: number; bytes: number }> => {
  const [row] = await proxy.db.query<{ records: number; bytes: number }>(sql`
    select count(*)::int as records, coalesce(sum(octet_length(concat(request, before, after, result))), 0)::bigint as bytes
    from mutation_records where organization_id = ${organizationId}`);
  return row ?? { records: 0, bytes: 0 };
};

/** Adds one record of that size, of bytes that do not compress. */
async function fill(organizationId: string, bytes: number): Promise<void> {
  const filling = JSON.stringify(randomBytes(Math.ceil(bytes * 0.75)).toString("base64"));
  await proxy.db.query(sql`
    insert into mutation_records (tool, organization_id, via, operator, request, request_hash)
    values ('filling', ${organizationId}, 'command_line', 'test', ${filling}, 'x')`);
}

/** Makes the records of an organization older by a number of seconds. */
const age = (organizationId: string, seconds: number) =>
  proxy.db.transaction(async (tx) => {
    await allowRecordChange(tx, "erase");
    await tx.query(sql`
      update mutation_records set at = at - ${seconds} * interval '1 second' where organization_id = ${organizationId}`);
  });

/** Characters of three bytes that do not compress. */
function randomText(length: number): string {
  return String.fromCharCode(...Array.from({ length }, () => randomInt(0x4e00, 0x9fff)));
}

it("stops the largest changes at the budget, with nothing changed, and accepts them again later", async () => {
  const fixture = await createEventFixture(proxy.db);
  const tools = createToolRunner(proxy.db, fixture);
  await proxy.db.query(sql`delete from segments where event_id = ${fixture.eventId}`);
  const rows = await proxy.db.query<{ id: string }>(sql`
    insert into segments (event_id, title, start_time, duration_minutes, position)
    select ${fixture.eventId}, title, '2031-05-01T18:00Z'::timestamptz + n * interval '10 minutes', 10, n
    from unnest(${Array.from({ length: 500 }, () => randomText(200))}::text[]) with ordinality t (title, n)
    returning id`);
  const segment_ids = rows.map(({ id }) => id);
  const reorder = async () => {
    const preview = await tools.run("reorder_event_segments", { segment_ids: segment_ids.reverse() });
    const commit = { ...preview.commit_with, reason: "fill the records" };
    return { commit, result: await tools.run("reorder_event_segments", commit) };
  };

  const first = await reorder();
  const { bytes: recordBytes } = await storedBytes(fixture.organizationId);
  // The two states, each once, of 500 rows with titles of 200 characters.
  expect(recordBytes).toBeGreaterThan(600_000);
  expect(recordBytes).toBeLessThan(900_000);
  await fill(fixture.organizationId, recordBudget.bytes - 1.5 * recordBytes);
  expect((await reorder()).result.dry_run).toBe(false);
  const refusal = await reorder().catch((error: unknown) => error);
  expect(refusal).toMatchObject({
    code: "rate_limited",
    message: expect.stringMatching(
      /^Too much data was recorded: .* 10 MB to its records in 10 minutes\. Nothing was changed\. Try again in \d+ s/,
    ),
    headers: { "retry-after": expect.stringMatching(/^\d+$/) },
    details: { retry_after_seconds: expect.any(Number) },
  });
  const full = await storedBytes(fixture.organizationId);
  const times = sql`select id, start_time from segments where event_id = ${fixture.eventId} order by id`;
  const before = await proxy.db.query(times);
  await expect(reorder()).rejects.toMatchObject({ code: "rate_limited" });
  expect(await proxy.db.query(times)).toEqual(before);
  expect(await storedBytes(fixture.organizationId)).toEqual(full);
  expect(await tools.run("reorder_event_segments", first.commit)).toEqual(first.result);

  const { retry_after_seconds: seconds } = (refusal as { details: { retry_after_seconds: number } }).details;
  await age(fixture.organizationId, seconds);
  expect((await reorder()).result.dry_run).toBe(false);
});

describe("an organization that has used up its budget", () => {
  async function createSpentTenant(): Promise<Tenant> {
    const tenant = await createTenant(proxy);
    await fill(tenant.organizationId, recordBudget.bytes);
    return tenant;
  }

  function expectRefused({ status, headers, json }: Awaited<ReturnType<typeof call>>): void {
    expect([status, json.code, json.error]).toEqual([429, "rate_limited", expect.stringMatching(/^Too much data/)]);
    const seconds = Number(headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(recordBudget.seconds - 60);
    expect(seconds).toBeLessThanOrEqual(recordBudget.seconds);
  }

  it("gets 429 for a PATCH that changes something, and 200 for one that does not", async () => {
    const { key, event } = await createSpentTenant();
    const path = `/api/svc/posters/${await proxy.make.poster(event.id)}`;
    const patch = (posted_urls: object) => call(proxy.url, path, { key, body: { posted_urls } });
    expectRefused(await patch({ x: "https://x.example.com/1" }));
    expect((await patch({ x: null })).status).toBe(200);
  });

  it("gets 429 for a ticketing write, which is not sent; another organization's is", async () => {
    const write = ({ key, event }: Tenant) =>
      proxy.call("event/coupons", { key, method: "POST", body: { event_id: event.id, code: "A" } });
    const spent = await createSpentTenant();
    expectRefused(await write(spent));
    expect(upstream.received).toEqual([]);
    expect((await write(await createTenant(proxy))).status).toBe(200);
    expect((await proxy.call(`event/get?id=${spent.event.id}`, { key: spent.key })).status).toBe(200);
  });

  it("is told to wait until enough of its records are old, not until the oldest is", async () => {
    const { organizationId, key, event } = await createTenant(proxy);
    for (const seconds of [200, 300, 0]) {
      await fill(organizationId, 0.6 * recordBudget.bytes);
      await age(organizationId, seconds);
    }
    const path = `/api/svc/posters/${await proxy.make.poster(event.id)}`;
    const refused = await call(proxy.url, path, { key, body: { posted_urls: { x: "https://x.example.com/1" } } });
    expect(refused.status).toBe(429);
    const seconds = Number(refused.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(recordBudget.seconds - 300 - 60);
    expect(seconds).toBeLessThanOrEqual(recordBudget.seconds - 300);
  });

  it("gets a tool error with the time to wait, and can preview", async () => {
    const { key, event } = await createSpentTenant();
    const run = async (args: object) => {
      const params = { name: "update_event_details", arguments: { event_id: event.id, venue: "Hall 2", ...args } };
      const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
      return (await call(proxy.url, "/api/mcp", { key, method: "POST", body })).json.result.structuredContent;
    };
    const { commit_with } = await run({});
    expect(await run({ ...commit_with, reason: "for the test" })).toEqual({
      untrusted_text: expect.any(String),
      error: {
        code: "unavailable",
        message: expect.stringMatching(/^Too much data/),
        retry_after_seconds: expect.any(Number),
      },
    });
  });
});
