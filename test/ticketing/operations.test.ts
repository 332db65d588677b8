import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { roles } from "../../src/access/roles.js";
import { type Scope, scopes } from "../../src/access/scopes.js";
import {
  type ExpectedOperation,
  expectedOperations,
  methods,
  paths,
  requestFor,
  ticketTypeId,
} from "./support/expected-operations.js";
import { type LinkedEvent, platformKey, type RunningProxy, startProxy } from "./support/proxy.js";
import {
  httpResponse,
  type ReceivedRequest,
  type RecordingUpstream,
  startRecordingUpstream,
} from "./support/recording-upstream.js";

let proxy: RunningProxy;
let upstream: RecordingUpstream;
let organization: string;
let key: string;
let hosted: LinkedEvent;
let coHosted: LinkedEvent;
let foreign: LinkedEvent;
let unlinked: LinkedEvent;
let draft: LinkedEvent;
let superAdminKey: string;
let conferenceKey: string;
const scopeKeys = {} as Record<Scope, { onlyThis: string; allOthers: string }>;

beforeAll(async () => {
  upstream = await startRecordingUpstream((request) =>
    request.path.endsWith("/ticket-types/list")
      ? httpResponse(200, { ticket_types: [{ id: ticketTypeId }] })
      : httpResponse(200, { ok: true }),
  );
  proxy = await startProxy(upstream.url);
  const { make } = proxy;
  organization = await make.organization();
  const other = await make.organization();
  key = await make.organizationKey(organization);
  hosted = await proxy.linkedEvent([organization]);
  coHosted = await proxy.linkedEvent([other, organization]);
  foreign = await proxy.linkedEvent([other]);
  unlinked = await proxy.linkedEvent([organization], { ticketingId: null });
  draft = await proxy.linkedEvent([organization], { status: "draft" });
  superAdminKey = await make.superAdminKey();
  conferenceKey = await make.conferenceKey(await make.conference());
  for (const scope of scopes) {
    const others = scopes.filter((each) => each !== scope);
    scopeKeys[scope] = {
      onlyThis: await make.organizationKey(organization, { scopes: [scope] }),
      allOthers: await make.organizationKey(organization, { scopes: others }),
    };
  }
});

beforeEach(() => {
  upstream.received.length = 0;
});

afterAll(async () => {
  await proxy.close();
  await upstream.close();
});

describe.each(expectedOperations)("$method $path", (row) => {
  const send = (event: string | undefined, as: string | undefined = key, field?: string) => {
    const { path, options } = requestFor(row, event, field);
    return proxy.call(path, { ...options, ...(as === undefined ? {} : { key: as }) });
  };

  const expectRejected = async (status: number, event: string | undefined, as?: string) => {
    const reply = await send(event, as);
    expect(reply.status, reply.text).toBe(status);
    expect(reply.json).toMatchObject({
      error: expect.any(String),
      code: expect.any(String),
      request_id: expect.any(String),
    });
    expect(upstream.received).toEqual([]);
    return reply;
  };

  it("forwards to the platform's path with the platform's event id, for host and co-host", async () => {
    for (const event of [hosted, coHosted]) {
      upstream.received.length = 0;
      const reply = await send(event.id);
      expect(reply.status, reply.text).toBe(200);
      checkSent(row, event, upstream.received);
    }
  });

  it("accepts the platform's id of a hosted event in any declared field", async () => {
    const names = row.path === "event/get" ? ["id", "api_id", "event_id"] : ["event_id", "event_api_id"];
    for (const name of names) {
      upstream.received.length = 0;
      expect((await send(hosted.ticketingId, key, name)).status).toBe(200);
      checkSent(row, hosted, upstream.received);
    }
  });

  it("rejects other organizations' events by either id", async () => {
    await expectRejected(403, foreign.id);
    await expectRejected(403, foreign.ticketingId);
    await expectRejected(403, `evt-${randomUUID()}`);
  });

  it("rejects unknown, hidden, unlinked and missing events", async () => {
    await expectRejected(404, randomUUID());
    await expectRejected(404, draft.id);
    await expectRejected(403, draft.ticketingId);
    await expectRejected(409, unlinked.id);
    await expectRejected(400, undefined);
    await expectRejected(400, "");
    await expectRejected(400, "not-an-id");
    await expectRejected(400, hosted.ticketingId.toUpperCase());
  });

  it("rejects missing and invalid keys, other tiers and keys without the scope", async () => {
    const { path, options } = requestFor(row, hosted.id);
    expect((await proxy.call(path, options)).status).toBe(401);
    await expectRejected(401, hosted.id, "svc_mk_wrong");
    await expectRejected(403, hosted.id, superAdminKey);
    await expectRejected(403, hosted.id, conferenceKey);
    const reply = await expectRejected(403, hosted.id, scopeKeys[row.scope].allOthers);
    expect(reply.json.error).toContain(row.scope);
  });

  it(`requires the live role ${row.role}`, async () => {
    const userId = await proxy.make.member(organization, "owner");
    const own = await proxy.make.organizationKey(organization, { userId });
    for (const role of roles) {
      upstream.received.length = 0;
      await proxy.db.query(sql`update members set role = ${role} where user_id = ${userId}`);
      if (row.role === "admin" && role === "member") {
        expect((await expectRejected(403, hosted.id, own)).json.error).toContain("requires the role admin");
      } else {
        expect((await send(hosted.id, own)).status).toBe(200);
      }
    }
  });

  it("requires no other scope", async () => {
    expect((await send(hosted.id, scopeKeys[row.scope].onlyThis)).status).toBe(200);
  });
});

describe("methods", () => {
  function allowedMethods(path: string): string[] {
    const rows = expectedOperations.filter((row) => row.path === path);
    return rows.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  }

  it("HEAD is a GET without a body, and a path may end with a slash", async () => {
    for (const path of ["event/get", "event/get/", "event/get-guests/"]) {
      const options = { key };
      const [read, head] = [
        await proxy.call(`${path}?event_id=${hosted.id}`, options),
        await proxy.call(`${path}?event_id=${hosted.id}`, { ...options, method: "HEAD" }),
      ];
      expect([read.status, head.status, head.text]).toEqual([200, 200, ""]);
      expect(head.headers.get("content-type")).toBe(read.headers.get("content-type"));
    }
    expect(upstream.received.map(({ method }) => method)).toEqual(Array(6).fill("GET"));
  });

  const undeclared = paths.flatMap((path) =>
    [...methods, "HEAD"].filter((method) => !allowedMethods(path).includes(method)).map((method) => ({ path, method })),
  );

  it.each(undeclared)("$method $path returns 405 with Allow", async ({ path, method }) => {
    const reply = await proxy.call(path, { method, key });
    expect(reply.status).toBe(405);
    expect(reply.headers.get("allow")).toBe([...allowedMethods(path), "OPTIONS"].join(", "));
    expect(upstream.received).toEqual([]);
  });

  it("OPTIONS returns the allowed methods of a path", async () => {
    const reply = await proxy.call("event/coupons", { method: "OPTIONS" });
    expect([reply.status, reply.headers.get("allow")]).toEqual([204, "GET, HEAD, POST, PUT, PATCH, OPTIONS"]);
  });
});

describe("the API description", () => {
  it("lists every path, its scope and the rate limit", async () => {
    const description = (await (await fetch(`${proxy.url}/api/svc`)).json()) as {
      ticketing: { paths: { method: string; path: string; scope: string }[]; limit: object; methods: string[] };
      limits: { ticketing: object };
    };
    expect(description.ticketing.paths.map(({ method, path, scope }) => `${method} ${path} ${scope}`)).toEqual(
      expectedOperations.map(({ method, path, scope }) => `${method} /api/ticketing/${path} ${scope}`),
    );
    expect(description.ticketing.methods).toEqual(methods);
    expect(description.limits.ticketing).toMatchObject({ requests: 1_000_000, per: "organization" });
  });
});

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

/** Exactly one request concerns the event, after the lookup of its ticket types if one is required. */
function checkSent(row: ExpectedOperation, event: LinkedEvent, received: ReceivedRequest[]): void {
  const last = received.at(-1);
  if (last === undefined) throw new Error("no request was sent");
  expect(received.length).toBe(row.needsTicketType ? 2 : 1);
  if (row.needsTicketType) {
    expect(received[0]?.target).toBe(`/v1/event/ticket-types/list?event_id=${event.ticketingId}&include_hidden=true`);
  }
  expect(`${last.method} ${last.path}`).toBe(row.upstream);
  const fields: [string, unknown][] = last.method === "GET" ? last.query : Object.entries(JSON.parse(last.body));
  const about = fields.filter(([name]) => /^(event_)?(api_)?id$/.test(name));
  expect(about).toEqual(row.sentAs === null ? [] : [[row.sentAs, event.ticketingId]]);
  expect(last.raw.includes(event.id)).toBe(false);
  expect(last.headers.filter(([name]) => name === "x-luma-api-key")).toEqual([["x-luma-api-key", platformKey]]);
  expect(last.headers.some(([name]) => name === "authorization" || name === "cookie")).toBe(false);
  if (last.method === "POST") expect(Object.fromEntries(fields)).toMatchObject({ note: "passed on" });
}
