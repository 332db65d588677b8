import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { beforeAll, describe, expect, it } from "vitest";
import { httpResponse } from "./support/recording-upstream.js";
import { useProxy } from "./support/use-proxy.js";

const { proxy, upstream } = useProxy();

// Echoes the requested event, so that a response delivered to the wrong caller is noticed.
beforeAll(() => upstream.respondWith((request) => httpResponse(200, { query: request.query })));

type EventCall = { key: string; reference: string };

async function getEvent({ key, reference }: EventCall): Promise<{ status: number; json: unknown }> {
  const { status, json } = await proxy.call(`event/get?id=${encodeURIComponent(reference)}`, { key });
  return { status, json: { ...json, request_id: undefined } };
}

async function revokedKey(organization: string): Promise<string> {
  const { db, make } = proxy;
  const key = await make.organizationKey(organization);
  await db.query(sql`update api_keys set revoked_at = now() where id = ${await make.keyId(key)}`);
  return key;
}

describe("concurrent requests", () => {
  it("are checked by their own key and event, as when sent one by one", async () => {
    const { make } = proxy;
    const [ours, theirs] = [await make.organization(), await make.organization()];
    const events = [await proxy.linkedEvent([ours]), await proxy.linkedEvent([theirs]), await proxy.linkedEvent([])];
    const keys = [
      ...[await make.organizationKey(ours), await make.organizationKey(ours), await make.organizationKey(theirs)],
      ...[await revokedKey(ours), await make.superAdminKey(), "svc_mk_unknown"],
    ];
    const references = [
      ...events.flatMap(({ id, ticketingId }) => [id, ticketingId]),
      ...[randomUUID(), "evt-nowhere", "neither", ""],
      // All are looked up in one statement: none may break it for the others.
      ...["NULL", 'evt-"\\{},', "evt-' or true --", "evt-\u{1f39f}\u0301", "evt-\0", `evt-${"x".repeat(300)}`],
    ];
    const calls = keys.flatMap((key) => references.map((reference) => ({ key, reference })));
    const oneByOne = [];
    for (const call of calls) oneByOne.push(await getEvent(call));
    expect(new Set(oneByOne.map(({ status }) => status))).toEqual(new Set([200, 400, 401, 403, 404]));

    expect(await Promise.all(calls.map(getEvent))).toEqual(oneByOne);
    expect(await Promise.all(calls.toReversed().map(getEvent))).toEqual(oneByOne.toReversed());
  });

  it("see a revocation that precedes them, even while an equal request is in flight", async () => {
    const { db, make } = proxy;
    const organization = await make.organization();
    const { id } = await proxy.linkedEvent([organization]);
    const key = await make.organizationKey(organization);
    const keyId = await make.keyId(key);
    const revoke = async () => {
      await db.query(sql`update api_keys set revoked_at = now() where id = ${keyId}`);
      return Promise.all(Array.from({ length: 5 }, () => getEvent({ key, reference: id })));
    };
    const early = Array.from({ length: 10 }, () => getEvent({ key, reference: id }));
    const late = await revoke();
    expect(late.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    for (const { status } of await Promise.all(early)) expect([200, 401]).toContain(status);
  });
});
