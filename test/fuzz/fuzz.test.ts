import { randomUUID } from "node:crypto";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import sql, { raw } from "sql-template-tag";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ErrorCode, errorTable, ServiceError } from "../../contract/errors.js";
import { apiDocuments } from "../../src/api-documents.js";
import { buildApp } from "../../src/app.js";
import { loadConfig } from "../../src/config.js";
import { createLog } from "../../src/infra/observability/log.js";
import { routes } from "../../src/registry.js";
import { braces } from "../../src/route.js";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { useFreshDatabase } from "../support/fresh-database.js";
import { makerOn } from "../support/make.js";
import { createRandom, runSize } from "../support/random.js";
import { readResultText, withoutEmptyCells } from "../support/read-result-text.js";
import { type Generator, generate, type Schema, toText } from "./generate.js";
import { type FuzzRequest, type OpenApi, type Operation, operationsOf, requestFor } from "./operations.js";

/**
 * Requests generated from the OpenAPI document and the list of tools, valid and not. Whatever is sent: no 5xx, a documented
 * status, a documented shape, bounded size, and nothing of another organization. FUZZ_REQUESTS and FUZZ_SEED choose another
 * run: `npm run test:fuzz`.
 */
const { requests, seed } = runSize("FUZZ");
const batchSize = 25;
const mark = `FOREIGN${randomUUID().replaceAll("-", "")}`;

const limits = { rest: 1e9, mcp: 1e9, ticketing: 1e9 };
// Nothing listens there: a ticketing request that passes every check is a 502.
const config = { ...loadConfig({}), limits, ticketing: { url: "http://127.0.0.1:9", apiKey: "unused" } };
const openapi = apiDocuments(config).openapi as unknown as OpenApi;

const fresh = useFreshDatabase();
let app: FastifyInstance;
let theirs: EventFixture;
let authorizations: string[];
let generator: Generator;
let tools: { name: string; inputSchema: Schema }[];

beforeAll(async () => {
  const make = makerOn(fresh.db);
  const ours = await createEventFixture(fresh.db);
  theirs = await createEventFixture(fresh.db);
  await markRows(theirs.eventId);
  const keys = await Promise.all([
    make.organizationKey(ours.organizationId, { role: "owner" }),
    make.organizationKey(ours.organizationId, { role: "member", scopes: ["conferences:read", "events:write"] }),
    make.conferenceKey(await conferenceOf(ours.eventId)),
  ]);
  const [owner = ""] = keys;
  // The owner's key most often: it reaches the most code.
  authorizations = [owner, owner, owner, owner, ...keys, "svc_mk_wrong", ""].map((key) => `Bearer ${key}`);
  app = buildApp({ ...config, logLevel: "silent" }, fresh.db, createLog("silent"), {
    posterGenerator: noDrawing,
    posterLoader: { load: noDrawing.draw, close: noDrawing.close },
    platformRequests: 1_000_000,
  });
  generator = {
    random: createRandom(seed),
    ids: idsOf([ours, theirs], [await conferenceOf(ours.eventId), await conferenceOf(theirs.eventId)]),
    resolve: (reference) => openapi.components.schemas[reference.split("/").at(-1) ?? ""] ?? {},
    wildness: 0.15,
  };
  const list = await callMcp(`Bearer ${owner}`, JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }));
  tools = list.json().result.tools;
});
afterAll(() => app.close());

it(`${requests} requests of seed ${seed} keep every promise of the documents`, { timeout: 3_600_000 }, async () => {
  const foreignBefore = await foreignRows();
  const operations = operationsOf(openapi).filter(({ path }) => path !== "/api/mcp");
  const isProxied = ({ path }: Operation) => path.startsWith("/api/ticketing/");
  const [proxied, own] = [operations.filter(isProxied), operations.filter((operation) => !isProxied(operation))];
  const statuses = new Map<number, number>();
  const { random } = generator;
  for (let done = 0; done < requests; done += batchSize) {
    const batch = Array.from({ length: batchSize }, async () => {
      // Everything random is chosen before the first response, so that a seed gives the same requests every time.
      const status = random.chance(0.5)
        ? await fuzzOperation(random.pick(random.chance(0.3) ? proxied : own))
        : await fuzzTool();
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    });
    await Promise.all(batch);
  }
  expect(await foreignRows()).toEqual(foreignBefore);
  for (const status of [200, 400, 401, 403, 404]) expect(statuses.get(status) ?? 0, `${status}`).toBeGreaterThan(0);
});

async function fuzzOperation(operation: Operation): Promise<number> {
  const { random } = generator;
  const request = requestFor(generator, operation, random.pick(authorizations));
  const response = await app.inject(request as never);
  const about = describeExchange(request, response);
  expect(textOf(response).includes(mark) || JSON.stringify(response.headers).includes(mark), about).toBe(false);
  expect(response.statusCode === 502 || response.statusCode < 500, about).toBe(true);
  expect(Object.keys(operation.responses), about).toContain(String(response.statusCode));
  expect(response.headers["x-request-id"], about).toBeTypeOf("string");
  expect(Buffer.byteLength(response.body), about).toBeLessThan(1_000_000);
  if (response.statusCode >= 400) expectErrorBody(response, about);
  else if (response.statusCode === 200) expectDocumentedBody(operation, response, about);
  return response.statusCode;
}

function expectDocumentedBody({ method, path }: Operation, response: LightMyRequestResponse, about: string): void {
  const route = routes.find((candidate) => candidate.method === method && braces(candidate.path) === path);
  if (route === undefined || path === "/images/{file}") return;
  expect(route.response.safeParse(JSON.parse(textOf(response))).error, about).toBeUndefined();
}

const decoders = { gzip: gunzipSync, br: brotliDecompressSync };

function textOf(response: LightMyRequestResponse): string {
  const coding = response.headers["content-encoding"] as keyof typeof decoders | undefined;
  return coding === undefined ? response.body : decoders[coding](response.rawPayload).toString();
}

function expectErrorBody(response: LightMyRequestResponse, about: string): void {
  expect(response.headers["content-type"], about).toBe("application/json; charset=utf-8");
  const { error, code, request_id, field, ...others } = response.json();
  expect(others, about).toEqual({});
  expect(error, about).toBeTypeOf("string");
  expect(error.length, about).toBeLessThan(4_000);
  expect(errorTable[code as ErrorCode]?.status, about).toBe(response.statusCode);
  expect(request_id, about).toBe(response.headers["x-request-id"]);
  if (field !== undefined) expect(field.length, about).toBeLessThan(300);
}

async function fuzzTool(): Promise<number> {
  const { random } = generator;
  const tool = random.pick(tools);
  const authorization = random.pick(authorizations);
  const args = generate(generator, tool.inputSchema);
  const method = random.chance(0.97)
    ? "tools/call"
    : random.pick(["tools/list", "initialize", "ping", "x", "server/discover"]);
  const name = random.chance(0.98) ? tool.name : generate(generator, {});
  const commits = random.chance(0.5);
  const message = { jsonrpc: "2.0", id: random.below(9), method, params: { name, arguments: args } };
  const text = toText({ ...generator, wildness: 0.05 }, message);
  const { statusCode, structured } = await checkToolCall(authorization, text);
  if (commits && structured?.commit_with !== undefined) {
    const commit = { ...(args as object), ...structured.commit_with, reason: "the fuzzer asks for it" };
    const again = { ...message, params: { name: tool.name, arguments: commit } };
    await checkToolCall(authorization, JSON.stringify(again));
  }
  return statusCode;
}

async function checkToolCall(authorization: string, text: string) {
  const response = await callMcp(authorization, text);
  const about = describeExchange({ method: "POST", url: "/api/mcp", headers: {}, payload: text }, response);
  expect(response.body.includes(mark), about).toBe(false);
  expect([200, 400, 401, 403, 404, 413, 415], about).toContain(response.statusCode);
  expect(Buffer.byteLength(response.body), about).toBeLessThan(200_000);
  const { jsonrpc, result, error } = response.json();
  expect(jsonrpc, about).toBe("2.0");
  expect((result === undefined) !== (error === undefined), about).toBe(true);
  if (error !== undefined) {
    expect(error, about).toMatchObject({ code: expect.any(Number), message: expect.any(String) });
    expect(error.code, about).not.toBe(-32603);
  }
  const structured = result?.structuredContent;
  if (structured !== undefined) {
    expect(structured.error?.code, about).not.toBe("internal");
    const read = readResultText(result.content[0].text, { isError: result.isError });
    const isWhole = structured.dry_run === undefined && structured.error === undefined;
    if (isWhole) expect(withoutEmptyCells(read), about).toEqual(withoutEmptyCells(structured));
  }
  return { statusCode: response.statusCode, structured };
}

function callMcp(authorization: string, payload: string): Promise<LightMyRequestResponse> {
  const headers = { authorization, host: "localhost", "content-type": "application/json" };
  return app.inject({ method: "POST", url: "/api/mcp", headers, payload });
}

function describeExchange(request: FuzzRequest, response: LightMyRequestResponse): string {
  const { method, url, headers, payload } = request;
  const sent = {
    method,
    url: url.slice(0, 300),
    headers: { ...headers, authorization: "…" },
    payload: payload?.slice(0, 1_500),
  };
  return `seed ${seed}: ${JSON.stringify(sent)} → ${response.statusCode} ${textOf(response).slice(0, 500)}`;
}

/** Drawing takes a second for each poster and is tested elsewhere. */
const noDrawing = {
  draw: async () => {
    throw new ServiceError("conflict", "Not drawn");
  },
  usage: () => ({ active: 0, queued: 0 }),
  close: async () => {},
};

function idsOf(fixtures: EventFixture[], conferences: string[]): Record<string, string[]> {
  return {
    conference_id: conferences,
    event_id: fixtures.map(({ eventId }) => eventId),
    poster_id: fixtures.map(({ posterId }) => posterId),
    organization_id: fixtures.flatMap((one) => [one.organizationId, one.otherOrganizationId, one.cohostOrganizationId]),
    speaker_id: fixtures.flatMap(({ speakerIds }) => speakerIds),
    registration_id: fixtures.flatMap(({ registrationIds }) => Object.values(registrationIds)),
    segment_id: fixtures.flatMap(({ segmentIds }) => segmentIds),
  };
}

async function conferenceOf(eventId: string): Promise<string> {
  const [row] = await fresh.db.query<{ id: string }>(sql`select conference_id as id from events where id = ${eventId}`);
  return row?.id ?? "";
}

const markedColumns = {
  events: ["name", "description", "venue", "venue_address"],
  posters: ["title"],
  speakers: ["name", "bio", "company"],
  registrations: ["name", "note", "ticket_type", "source"],
  segments: ["title", "notes", "location"],
};

/** Names of organizations are not secret: a host may add any of them as a co-host. */
async function markRows(eventId: string): Promise<void> {
  for (const [table, columns] of Object.entries(markedColumns)) {
    const values = columns.map((column) => `${column} = '${mark}'`).join(", ");
    const owner = table === "events" ? "id" : "event_id";
    await fresh.db.query(sql`${raw(`update ${table} set ${values} where ${owner} = `)}${eventId}`);
  }
  await fresh.db.query(sql`
    update registrations set email = status || ${`@${mark}.example`}, answers = ${JSON.stringify({ a: mark })}
    where event_id = ${eventId}`);
  await fresh.db.query(sql`update posters set metadata = ${JSON.stringify({ a: mark })} where event_id = ${eventId}`);
}

/** With the versions of the rows, which every write changes. */
async function foreignRows(): Promise<object[]> {
  const selects = Object.keys(markedColumns).map((table) => {
    const owner = table === "events" ? "id" : "event_id";
    return `select '${table}' as "table", t.xmin::text, row_to_json(t)::text as row from ${table} t where ${owner} = '${theirs.eventId}'`;
  });
  return fresh.db.query<object>(raw(`${selects.join(" union all ")} order by 1, 3`));
}
