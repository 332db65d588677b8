import sql from "sql-template-tag";
import { afterEach, describe, expect, it } from "vitest";
import { call } from "../support/call.js";
import { expectedLiteralOperations, expectedOperations, methods, ticketTypeId } from "./support/expected-operations.js";
import { describeOperations } from "./support/operation-contract.js";
import { startProxy } from "./support/proxy.js";
import { httpResponse, type UpstreamBehavior } from "./support/recording-upstream.js";

/** A platform that has the seven paths and no other, and lets its key change any ticket type, whatever the event. */
const onlySeven: UpstreamBehavior = ({ method, path, query }) => {
  const allowed = platform[path.replace("/v1/", "")];
  if (allowed === undefined) return httpResponse(404, { message: "no such path" });
  if (!allowed.includes(method)) return httpResponse(405, { message: "no such method" });
  if (method !== "GET" || !path.endsWith("/ticket-types")) return httpResponse(200, { ok: true });
  const eventId = query.find(([name]) => name === "event_id")?.[1];
  const own = eventId !== world.foreign.ticketingId;
  return httpResponse(200, { ticket_types: [{ id: own ? ticketTypeId : theirTicketType }] });
};

const platform: Record<string, string[]> = {
  "event/get": ["GET"],
  "event/get-guests": ["GET"],
  "event/get-guest": ["GET"],
  "event/add-guests": ["POST"],
  "event/update-guest-status": ["POST"],
  "event/ticket-types": ["GET", "POST", "PUT", "PATCH", "DELETE"],
  "event/coupons": ["GET", "POST"],
};

const theirTicketType = "evtticktyp-theirs";
const literal = { ticketingPaths: "literal" } as const;

const world = describeOperations(expectedLiteralOperations, onlySeven, literal);

const send = (method: string, path: string, body?: object) =>
  world.proxy.call(path, { key: world.key, method, ...(body === undefined ? {} : { body }) });
const sent = () => world.upstream.received.map(({ method, path }) => `${method} ${path.replace("/v1/", "")}`);
const records = () =>
  world.proxy.db.query<{ tool: string; request: Record<string, unknown>; result: object }>(
    sql`select * from mutation_records where event_id = ${world.coHosted.id} order by at, result ->> 'state' desc`,
  );

afterEach(() => world.upstream.respondWith(onlySeven));

describe("what the platform does not have", () => {
  const literalNames = expectedLiteralOperations.map(({ method, path }) => `${method} ${path}`);
  const others = [...new Set(expectedOperations.map(({ path }) => path))]
    .flatMap((path) => methods.map((method) => ({ method, path })))
    .filter(({ method, path }) => !literalNames.includes(`${method} ${path}`));

  it.each(others)("$method $path is not forwarded", async ({ method, path }) => {
    const fields = { event_id: world.hosted.id, event_ticket_type_id: ticketTypeId, code: "A" };
    const reply = await (method === "GET"
      ? send(method, `${path}?${new URLSearchParams(fields)}`)
      : send(method, path, fields));
    expect(reply.status, reply.text).toBe(path in platform ? 405 : 404);
    expect(sent()).toEqual([]);
  });
});

describe("ticket types", () => {
  const theirs = () => ({ event_id: world.hosted.id, event_ticket_type_id: theirTicketType });
  const mine = () => ({ event_id: world.hosted.id, event_ticket_type_id: ticketTypeId });

  it.each<[string, string, () => object]>([
    ["PUT", "event/ticket-types", theirs],
    ["PATCH", "event/ticket-types", theirs],
    ["DELETE", "event/ticket-types", theirs],
    ["PATCH", "event/ticket-types", () => ({ ...mine(), id: theirTicketType })],
    ["DELETE", "event/ticket-types", () => ({ ...mine(), api_id: theirTicketType })],
    ["POST", "event/ticket-types", theirs],
    ["POST", "event/add-guests", () => ({ event_id: world.hosted.id, ticket: { id: theirTicketType } })],
  ])("%s %s with one of another event is refused after the event's own list", async (method, path, body) => {
    expect((await send(method, path, body())).status).toBe(404);
    expect(sent()).toEqual(["GET event/ticket-types"]);
    expect(world.upstream.received[0]?.raw).not.toContain(theirTicketType);
  });

  it.each<[string, UpstreamBehavior, number]>([
    ["has another shape", () => httpResponse(200, { entries: [{ id: ticketTypeId }] }), 502],
    ["is no JSON", () => httpResponse(200, "none"), 502],
    ["fails", () => httpResponse(500, {}), 500],
    ["is missing", () => httpResponse(404, {}), 404],
  ])("are not changed if the list %s", async (_problem, behavior, status) => {
    world.upstream.respondWith(behavior);
    expect((await send("PATCH", "event/ticket-types", { ...mine(), name: "x" })).status).toBe(status);
    expect(sent()).toEqual(["GET event/ticket-types"]);
  });

  it("are deleted with the fields where the caller gave them", async () => {
    const forwarded = { ...mine(), event_id: world.hosted.ticketingId };
    expect((await send("DELETE", `event/ticket-types?${new URLSearchParams(mine())}`)).status).toBe(200);
    expect(world.upstream.received.at(-1)).toMatchObject({
      method: "DELETE",
      target: `/v1/event/ticket-types?${new URLSearchParams(forwarded)}`,
      body: "",
    });
    expect((await send("DELETE", "event/ticket-types", mine())).status).toBe(200);
    expect(world.upstream.received.at(-1)).toMatchObject({
      method: "DELETE",
      target: "/v1/event/ticket-types",
      body: JSON.stringify(forwarded),
    });
    const count = world.upstream.received.length;
    const query = new URLSearchParams({ ...mine(), event_ticket_type_id: theirTicketType });
    expect((await send("DELETE", `event/ticket-types?${query}`)).status).toBe(404);
    expect(sent().slice(count)).toEqual(["GET event/ticket-types"]);
  });
});

it("writes of every method are recorded before they are sent, and never retried", async () => {
  const fields = { event_ticket_type_id: ticketTypeId };
  for (const method of ["PUT", "PATCH", "DELETE"]) {
    world.upstream.received.length = 0;
    const before = (await records()).length;
    let whileSending = 0;
    world.upstream.respondWith((request, socket) => {
      if (request.method === "GET") return onlySeven(request, socket);
      records().then((rows) => {
        whileSending = rows.length - before;
        socket.destroy();
      });
      return undefined;
    });
    const reply = await send(method, "event/ticket-types", { event_id: world.coHosted.id, ...fields });
    expect(reply.status, reply.text).toBe(502);
    expect(reply.json.error).toContain("may or may not have been applied");
    expect(sent()).toEqual(["GET event/ticket-types", `${method} event/ticket-types`]);
    expect(whileSending).toBe(1);
    const [first, second] = (await records()).slice(before);
    expect(first).toMatchObject({
      tool: "ticketing:event/ticket-types",
      request: { method, upstream_path: "event/ticket-types", ticketing_event_id: world.coHosted.ticketingId, fields },
      result: { state: "sending" },
    });
    expect(second?.result).toMatchObject({ state: "unknown" });
  }
});

it("the look-up of ticket types counts against the limit towards the platform", async () => {
  const limited = await startProxy(world.upstream.url, {
    config: { ...literal, redisUrl: null },
    oneProcess: "its window is in memory",
    tuning: { platformRequests: 1, platformReserved: 0, platformWindowSeconds: 600 },
  });
  try {
    const body = { event_id: world.hosted.id, event_ticket_type_id: ticketTypeId };
    const reply = await limited.call("event/ticket-types", { key: world.key, method: "PATCH", body });
    expect([reply.status, sent()]).toEqual([503, ["GET event/ticket-types"]]);
  } finally {
    await limited.close();
  }
});

it("the documents describe what this deployment forwards", async () => {
  const expected = expectedLiteralOperations.map(({ method, path }) => `${method} /api/ticketing/${path}`);
  const described: Record<string, string>[] = (await call(world.proxy.url, "/api/svc")).json.ticketing.paths;
  expect(described.map(({ method, path }) => `${method} ${path}`)).toEqual(expected);
  const openapi: Record<string, object> = (await call(world.proxy.url, "/openapi.json")).json.paths;
  const proxied = Object.entries(openapi)
    .filter(([path]) => path.startsWith("/api/ticketing/"))
    .flatMap(([path, operations]) => Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`));
  expect(new Set(proxied)).toEqual(new Set(expected));
});
