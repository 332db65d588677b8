import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { scopes } from "../../src/access/scopes.js";
import { type Expected, expected, methods, paths, requestFor, ticketTypeId } from "./support/expected.js";
import { type LinkedEvent, platformKey, type RunningProxy, startProxy } from "./support/proxy.js";
import { httpAnswer, type Received, type Recorder, startRecorder } from "./support/recorder.js";

let proxy: RunningProxy;
let upstream: Recorder;
let organization: string;
let key: string;
let hosted: LinkedEvent;
let coHosted: LinkedEvent;
let foreign: LinkedEvent;
let unlinked: LinkedEvent;
let draft: LinkedEvent;

beforeAll(async () => {
  upstream = await startRecorder((request) =>
    request.path.endsWith("/ticket-types/list")
      ? httpAnswer(200, { ticket_types: [{ id: ticketTypeId }] })
      : httpAnswer(200, { ok: true }),
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
});

beforeEach(() => {
  upstream.received.length = 0;
});

afterAll(async () => {
  await proxy.close();
  await upstream.close();
});

describe.each(expected)("$method $path", (row) => {
  const send = (event: string | undefined, as: string | undefined = key, field?: string) => {
    const { path, options } = requestFor(row, event, field);
    return proxy.call(path, { ...options, ...(as === undefined ? {} : { key: as }) });
  };

  const refused = async (status: number, event: string | undefined, as?: string) => {
    const reply = await send(event, as);
    expect(reply.status, reply.text).toBe(status);
    expect(reply.json).toEqual({ error: expect.any(String) });
    expect(upstream.received).toEqual([]);
    return reply;
  };

  it("reaches the platform's own path with the platform's event id, for host and co-host", async () => {
    for (const event of [hosted, coHosted]) {
      upstream.received.length = 0;
      const reply = await send(event.id);
      expect(reply.status, reply.text).toBe(200);
      checkSent(row, event, upstream.received);
    }
  });

  it("takes the platform's own id of an event that is hosted, in any declared field", async () => {
    const names = row.path === "event/get" ? ["id", "api_id", "event_id"] : ["event_id", "event_api_id"];
    for (const name of names) {
      upstream.received.length = 0;
      expect((await send(hosted.ticketingId, key, name)).status).toBe(200);
      checkSent(row, hosted, upstream.received);
    }
  });

  it("refuses other organizations' events by either id", async () => {
    await refused(403, foreign.id);
    await refused(403, foreign.ticketingId);
    await refused(403, `evt-${randomUUID()}`);
  });

  it("refuses events that are unknown, hidden, not linked or not named", async () => {
    await refused(404, randomUUID());
    await refused(404, draft.id);
    await refused(403, draft.ticketingId);
    await refused(409, unlinked.id);
    await refused(400, undefined);
    await refused(400, "");
    await refused(400, "not-an-id");
  });

  it("refuses missing and bad keys, other tiers and keys without the scope", async () => {
    const conference = await proxy.make.conferenceKey(await proxy.make.conference());
    const { path, options } = requestFor(row, hosted.id);
    expect((await proxy.call(path, options)).status).toBe(401);
    await refused(401, hosted.id, "svc_mk_wrong");
    await refused(403, hosted.id, await proxy.make.superAdminKey());
    await refused(403, hosted.id, conference);
    const others = scopes.filter((scope) => scope !== row.scope);
    const reply = await refused(403, hosted.id, await proxy.make.organizationKey(organization, { scopes: others }));
    expect(reply.json.error).toContain(row.scope);
  });

  it("wants no other scope", async () => {
    const only = await proxy.make.organizationKey(organization, { scopes: [row.scope] });
    expect((await send(hosted.id, only)).status).toBe(200);
  });
});

describe("methods", () => {
  const undeclared = paths.flatMap((path) =>
    [...methods, "HEAD"]
      .filter((method) => !expected.some((row) => row.path === path && row.method === method))
      .map((method) => ({ path, method })),
  );

  it.each(undeclared)("$method $path is a 405 with Allow", async ({ path, method }) => {
    const reply = await proxy.call(path, { method, key });
    expect(reply.status).toBe(405);
    const allowed = expected.filter((row) => row.path === path).map((row) => row.method);
    expect(reply.headers.get("allow")).toBe([...allowed, "OPTIONS"].join(", "));
    expect(upstream.received).toEqual([]);
  });

  it("OPTIONS tells what a path takes", async () => {
    const reply = await proxy.call("event/coupons", { method: "OPTIONS" });
    expect([reply.status, reply.headers.get("allow")]).toEqual([204, "GET, POST, PUT, PATCH, OPTIONS"]);
  });
});

describe("the API description", () => {
  it("lists every path, its scope and the limit", async () => {
    const description = (await (await fetch(`${proxy.url}/api/svc`)).json()) as {
      ticketing: { paths: { method: string; path: string; scope: string }[]; limit: object; methods: string[] };
      limits: { ticketing: object };
    };
    expect(description.ticketing.paths.map(({ method, path, scope }) => `${method} ${path} ${scope}`)).toEqual(
      expected.map(({ method, path, scope }) => `${method} /api/ticketing/${path} ${scope}`),
    );
    expect(description.ticketing.methods).toEqual(methods);
    expect(description.limits.ticketing).toMatchObject({ requests: 1_000_000, per: "organization" });
  });
});

/** Exactly one request about the event, after the look at its ticket types where one is needed. */
function checkSent(row: Expected, event: LinkedEvent, received: Received[]): void {
  const last = received.at(-1);
  if (last === undefined) throw new Error("nothing was sent");
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
