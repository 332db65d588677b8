import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ExpectedOperation, requestFor, ticketTypeId } from "../ticketing/support/expected-operations.js";
import { type LinkedEvent, platformKey, type RunningProxy, startProxy } from "../ticketing/support/proxy.js";
import {
  httpResponse,
  type RecordingUpstream,
  startRecordingUpstream,
} from "../ticketing/support/recording-upstream.js";
import { specTable } from "./spec-table.js";

// Section 4.3 of the specification: the ticketing proxy, in front of a platform that records what it receives.

let upstream: RecordingUpstream;
let proxy: RunningProxy;
let organization: string;
let key: string;
let hosted: LinkedEvent;
let coHosted: LinkedEvent;
let foreign: LinkedEvent;

beforeAll(async () => {
  upstream = await startRecordingUpstream(({ path }) =>
    httpResponse(200, path.endsWith("/ticket-types/list") ? { ticket_types: [{ id: ticketTypeId }] } : { ok: true }),
  );
  proxy = await startProxy(upstream.url);
  organization = await proxy.make.organization();
  const other = await proxy.make.organization();
  key = await proxy.make.organizationKey(organization);
  hosted = await proxy.linkedEvent([organization]);
  coHosted = await proxy.linkedEvent([other, organization]);
  foreign = await proxy.linkedEvent([other]);
  return async () => {
    await proxy.close();
    await upstream.close();
  };
});
beforeEach(() => {
  upstream.received.length = 0;
});

const paths = specTable(`
  | Upstream path | Purpose |
  |---|---|
  | event/get | get event details |
  | event/get-guests | list event guests |
  | event/get-guest | get one guest |
  | event/add-guests | add guests to the event |
  | event/update-guest-status | update a guest's status |
  | event/ticket-types | list, create, update or delete ticket types |
  | event/coupons | list or create coupon codes |`);

/** The methods by which each purpose of a path is reached. */
const methodsOf: Record<string, string[]> = {
  "event/get": ["GET"],
  "event/get-guests": ["GET"],
  "event/get-guest": ["GET"],
  "event/add-guests": ["POST"],
  "event/update-guest-status": ["POST"],
  "event/ticket-types": ["GET", "POST", "PUT", "PATCH", "DELETE"],
  "event/coupons": ["GET", "POST"],
};
const operations = Object.entries(methodsOf).flatMap(([path, methods]) => methods.map((method) => ({ path, method })));

/** A request of the operation about an event; those about one ticket type name it. */
function send(path: string, method: string, event: string, as = key) {
  const needsTicketType = path === "event/ticket-types" && ["PUT", "PATCH", "DELETE"].includes(method);
  const request = requestFor({ path, method, needsTicketType } as ExpectedOperation, event);
  return proxy.call(request.path, { ...request.options, key: as });
}

describe("4.3 item", () => {
  it("Path: /api/ticketing/{upstream-path}", async () => {
    const reply = await fetch(`${proxy.url}/api/ticketing/event/get?event_id=${hosted.id}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(reply.status).toBe(200);
    expect(upstream.received).toMatchObject([{ method: "GET", path: "/v1/event/get" }]);
  });

  it.each(["GET", "POST", "PUT", "PATCH", "DELETE"])("Methods: %s", async (method) => {
    expect((await send("event/ticket-types", method, hosted.id)).status).toBe(200);
    expect(upstream.received).not.toEqual([]);
  });

  it("Key tier: organization keys only", async () => {
    const admin = await proxy.make.superAdminKey();
    const conference = await proxy.make.conferenceKey(await proxy.make.conference());
    for (const { path, method } of operations) {
      for (const other of [admin, conference]) expect((await send(path, method, hosted.id, other)).status).toBe(403);
    }
    expect(upstream.received).toEqual([]);
  });

  it("Event ids: service event UUIDs are swapped to the external platform's event ids", async () => {
    await send("event/get-guests", "GET", hosted.id);
    await send("event/add-guests", "POST", hosted.id);
    const [read, write] = upstream.received;
    expect(read?.query).toEqual([["event_id", hosted.ticketingId]]);
    expect(JSON.parse(write?.body ?? "")).toMatchObject({ event_id: hosted.ticketingId });
    for (const { raw } of upstream.received) expect(raw).not.toContain(hosted.id);
  });

  it("Event ids: the proxy verifies that the key's organization hosts the event", async () => {
    for (const { path, method } of operations) {
      expect((await send(path, method, foreign.id)).status).toBe(403);
      expect((await send(path, method, foreign.ticketingId)).status).toBe(403);
    }
    expect(upstream.received).toEqual([]);
  });

  it("Event ids: an event that does not exist is a 404, one without a ticketing id a 409, none a 400", async () => {
    const unlinked = await proxy.linkedEvent([organization], { ticketingId: null });
    expect((await send("event/get-guests", "GET", randomUUID())).status).toBe(404);
    expect((await send("event/get-guests", "GET", unlinked.id)).status).toBe(409);
    expect((await proxy.call("event/get-guests", { key })).status).toBe(400);
    expect(upstream.received).toEqual([]);
  });
});

describe("4.3 upstream path", () => {
  it.each(paths)("%s: %s", async (path) => {
    expect(Object.keys(methodsOf)).toContain(path);
    for (const method of methodsOf[path] ?? []) {
      for (const event of [hosted, coHosted]) {
        upstream.received.length = 0;
        const reply = await send(path, method, event.id);
        expect(reply.status, reply.text).toBe(200);
        expect(upstream.received.at(-1)?.path).toMatch(/^\/v1\/event\//);
        expect(upstream.received.some(({ raw }) => raw.includes(event.ticketingId))).toBe(true);
      }
    }
  });

  it.each(["calendar/list-events", "event/create", "user/get-self", "event", "event/get-guests-all"])(
    "%s, which is not named, is a 404 and never reaches the platform",
    async (path) => {
      expect((await proxy.call(`${path}?event_id=${hosted.id}`, { key })).status).toBe(404);
      expect(upstream.received).toEqual([]);
    },
  );
});

describe("4.3 responses", () => {
  it("status and body of the platform come back as they are", async () => {
    upstream.respondWith(() => httpResponse(422, '{"message": "no such ticket",  "n": 1.0}'));
    const reply = await send("event/get-guest", "GET", hosted.id);
    expect([reply.status, reply.text]).toEqual([422, '{"message": "no such ticket",  "n": 1.0}']);
    upstream.respondWith(() => httpResponse(200, { ok: true }));
  });

  it("the platform's key is sent, the caller's own key never", async () => {
    await send("event/get", "GET", hosted.id);
    expect(upstream.received[0]?.headers).toContainEqual(["x-luma-api-key", platformKey]);
    expect(upstream.received[0]?.raw).not.toContain(key);
  });

  it.each([401, 403])("a %i of the platform is a 502, never the caller's", async (status) => {
    upstream.respondWith(() => httpResponse(status, {}));
    const reply = await send("event/get", "GET", hosted.id);
    expect(reply.status).toBe(502);
    expect(reply.json.error).toEqual(expect.any(String));
    upstream.respondWith(() => httpResponse(200, { ok: true }));
  });
});
