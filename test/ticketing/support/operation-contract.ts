import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { roles } from "../../../contract/roles.js";
import { type Scope, scopes } from "../../../contract/scopes.js";
import type { Config } from "../../../src/config.js";
import { type ExpectedOperation, requestFor } from "./expected-operations.js";
import { type LinkedEvent, platformKey, type RunningProxy, startProxy } from "./proxy.js";
import {
  type ReceivedRequest,
  type RecordingUpstream,
  startRecordingUpstream,
  type UpstreamBehavior,
} from "./recording-upstream.js";

/** An organization with a key, and events that it may and may not reach. */
export type World = {
  proxy: RunningProxy;
  upstream: RecordingUpstream;
  organization: string;
  key: string;
  hosted: LinkedEvent;
  coHosted: LinkedEvent;
  foreign: LinkedEvent;
  unlinked: LinkedEvent;
  draft: LinkedEvent;
};

/** Tests that a proxy forwards the operations of the table as it says, and makes every check of key, role and event. */
export function describeOperations(
  expected: ExpectedOperation[],
  behavior: UpstreamBehavior,
  config: Partial<Config> = {},
): World {
  const world = {} as World;
  let superAdminKey: string;
  let conferenceKey: string;
  const scopeKeys = {} as Record<Scope, { onlyThis: string; allOthers: string }>;

  beforeAll(async () => {
    const upstream = await startRecordingUpstream(behavior);
    const proxy = await startProxy(upstream.url, { config });
    const { make } = proxy;
    const organization = await make.organization();
    const other = await make.organization();
    Object.assign(world, {
      proxy,
      upstream,
      organization,
      key: await make.organizationKey(organization),
      hosted: await proxy.linkedEvent([organization]),
      coHosted: await proxy.linkedEvent([other, organization]),
      foreign: await proxy.linkedEvent([other]),
      unlinked: await proxy.linkedEvent([organization], { ticketingId: null }),
      draft: await proxy.linkedEvent([organization], { status: "draft" }),
    });
    superAdminKey = await make.superAdminKey();
    conferenceKey = await make.conferenceKey(await make.conference());
    for (const scope of scopes) {
      const others = scopes.filter((each) => each !== scope);
      scopeKeys[scope] = {
        onlyThis: await make.organizationKey(organization, { scopes: [scope] }),
        allOthers: await make.organizationKey(organization, { scopes: others }),
      };
    }
    return async () => {
      await proxy.close();
      await upstream.close();
    };
  });

  beforeEach(() => {
    world.upstream.received.length = 0;
  });

  describe.each(expected)("$method $path", (row) => {
    const send = (event: string | undefined, as: string | undefined = world.key, field?: string) => {
      const { path, options } = requestFor(row, event, field);
      return world.proxy.call(path, { ...options, ...(as === undefined ? {} : { key: as }) });
    };

    const expectRejected = async (status: number, event: string | undefined, as?: string) => {
      const reply = await send(event, as);
      expect(reply.status, reply.text).toBe(status);
      expect(reply.json).toMatchObject({
        error: expect.any(String),
        code: expect.any(String),
        request_id: expect.any(String),
      });
      expect(world.upstream.received).toEqual([]);
      return reply;
    };

    it("forwards to the platform's path with the platform's event id, for host and co-host", async () => {
      for (const event of [world.hosted, world.coHosted]) {
        world.upstream.received.length = 0;
        const reply = await send(event.id);
        expect(reply.status, reply.text).toBe(200);
        checkSent(expected, row, event, world.upstream.received);
      }
    });

    it("accepts the platform's id of a hosted event in any declared field", async () => {
      const names = row.path === "event/get" ? ["id", "api_id", "event_id"] : ["event_id", "event_api_id"];
      for (const name of names) {
        world.upstream.received.length = 0;
        expect((await send(world.hosted.ticketingId, world.key, name)).status).toBe(200);
        checkSent(expected, row, world.hosted, world.upstream.received);
      }
    });

    it("rejects other organizations' events by either id", async () => {
      await expectRejected(403, world.foreign.id);
      await expectRejected(403, world.foreign.ticketingId);
      await expectRejected(403, `evt-${randomUUID()}`);
    });

    it("rejects unknown, hidden, unlinked and missing events", async () => {
      await expectRejected(404, randomUUID());
      await expectRejected(404, world.draft.id);
      await expectRejected(403, world.draft.ticketingId);
      await expectRejected(409, world.unlinked.id);
      await expectRejected(400, undefined);
      await expectRejected(400, "");
      await expectRejected(400, "not-an-id");
      await expectRejected(400, world.hosted.ticketingId.toUpperCase());
    });

    it("rejects missing and invalid keys, other tiers and keys without the scope", async () => {
      const { path, options } = requestFor(row, world.hosted.id);
      expect((await world.proxy.call(path, options)).status).toBe(401);
      await expectRejected(401, world.hosted.id, "svc_mk_wrong");
      await expectRejected(403, world.hosted.id, superAdminKey);
      await expectRejected(403, world.hosted.id, conferenceKey);
      const reply = await expectRejected(403, world.hosted.id, scopeKeys[row.scope].allOthers);
      expect(reply.json.error).toContain(row.scope);
    });

    it(`requires the live role ${row.role}`, async () => {
      const userId = await world.proxy.make.member(world.organization, "owner");
      const own = await world.proxy.make.organizationKey(world.organization, { userId });
      for (const role of roles) {
        world.upstream.received.length = 0;
        await world.proxy.db.query(sql`update members set role = ${role} where user_id = ${userId}`);
        if (row.role === "admin" && role === "member") {
          expect((await expectRejected(403, world.hosted.id, own)).json.error).toContain("requires the role admin");
        } else {
          expect((await send(world.hosted.id, own)).status).toBe(200);
        }
      }
    });

    it("requires no other scope", async () => {
      expect((await send(world.hosted.id, scopeKeys[row.scope].onlyThis)).status).toBe(200);
    });
  });

  return world;
}

/** Exactly one request concerns the event, after the lookup of its ticket types if one is required. */
function checkSent(
  expected: ExpectedOperation[],
  row: ExpectedOperation,
  event: LinkedEvent,
  received: ReceivedRequest[],
): void {
  const last = received.at(-1);
  if (last === undefined) throw new Error("no request was sent");
  expect(received.length).toBe(row.needsTicketType ? 2 : 1);
  if (row.needsTicketType) {
    const list = expected.find(({ method, path }) => `${method} ${path}` === "GET event/ticket-types");
    const query = `?event_id=${event.ticketingId}&include_hidden=true`;
    expect(`${received[0]?.method} ${received[0]?.target}`).toBe(`${list?.upstream}${query}`);
  }
  expect(`${last.method} ${last.path}`).toBe(row.upstream);
  const fields: [string, unknown][] = last.body === "" ? last.query : Object.entries(JSON.parse(last.body));
  const about = fields.filter(([name]) => /^(event_)?(api_)?id$/.test(name));
  expect(about).toEqual(row.sentAs === null ? [] : [[row.sentAs, event.ticketingId]]);
  expect(last.raw.includes(event.id)).toBe(false);
  expect(last.headers.filter(([name]) => name === "x-luma-api-key")).toEqual([["x-luma-api-key", platformKey]]);
  expect(last.headers.some(([name]) => name === "authorization" || name === "cookie")).toBe(false);
  if (last.body !== "") expect(Object.fromEntries(fields)).toMatchObject({ note: "passed on" });
}
