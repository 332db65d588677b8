import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningProxy, startProxy } from "./support/proxy.js";
import { httpAnswer, type Recorder, startRecorder } from "./support/recorder.js";

let proxy: RunningProxy;
let upstream: Recorder;

beforeAll(async () => {
  // Says which event it was asked about, so that an answer that went to another caller is seen.
  upstream = await startRecorder((request) => httpAnswer(200, { asked: request.query }));
  proxy = await startProxy(upstream.url);
});

afterAll(async () => {
  await proxy.close();
  await upstream.close();
});

type Asking = { key: string; reference: string };

async function ask({ key, reference }: Asking): Promise<{ status: number; json: unknown }> {
  const { status, json } = await proxy.call(`event/get?id=${encodeURIComponent(reference)}`, { key });
  return { status, json };
}

async function revokedKey(organization: string): Promise<string> {
  const { db, make } = proxy;
  const key = await make.organizationKey(organization);
  await db.query(sql`update api_keys set revoked_at = now() where id = ${await make.keyId(key)}`);
  return key;
}

describe("requests that arrive together", () => {
  it("are each judged by their own key and event, as if they had come one by one", async () => {
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
      // One statement carries them all: none may spoil it for the others.
      ...["NULL", 'evt-"\\{},', "evt-' or true --", "evt-\u{1f39f}\u0301", "evt-\0", `evt-${"x".repeat(300)}`],
    ];
    const askings = keys.flatMap((key) => references.map((reference) => ({ key, reference })));
    const oneByOne = [];
    for (const asking of askings) oneByOne.push(await ask(asking));
    expect(new Set(oneByOne.map(({ status }) => status))).toEqual(new Set([200, 400, 401, 403, 404]));

    for (let round = 0; round < 3; round += 1) {
      expect(await Promise.all(askings.map(ask))).toEqual(oneByOne);
      expect(await Promise.all(askings.toReversed().map(ask))).toEqual(oneByOne.toReversed());
    }
  });

  it("see what was true when they came, also when an equal one is under way", async () => {
    const { db, make } = proxy;
    const organization = await make.organization();
    const { id } = await proxy.linkedEvent([organization]);
    const key = await make.organizationKey(organization);
    const keyId = await make.keyId(key);
    const revoke = async () => {
      await db.query(sql`update api_keys set revoked_at = now() where id = ${keyId}`);
      return Promise.all(Array.from({ length: 5 }, () => ask({ key, reference: id })));
    };
    const early = Array.from({ length: 20 }, () => ask({ key, reference: id }));
    const late = await revoke();
    expect(late.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    for (const { status } of await Promise.all(early)) expect([200, 401]).toContain(status);
  });
});
