import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { raw } from "sql-template-tag";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildApp } from "../../src/app.js";
import { loadConfig } from "../../src/config.js";
import { createLog } from "../../src/infra/observability/log.js";
import { useFreshDatabase } from "../support/fresh-database.js";
import { createRandom, type Random, runSize } from "../support/random.js";
import { publicUrl } from "../support/service.js";
import { exampleInputs } from "../support/tool-examples.js";
import { toolPermissions } from "../support/tool-permissions.js";
import { type Answer, expectedAnswer, type Question } from "./model.js";
import { categories, changeWorld, createWorld, type Key, storeWorld, type World } from "./model-world.js";

/**
 * A second implementation of the access rules is compared with the service, over random organizations that keep changing.
 * MODEL_REQUESTS and MODEL_SEED choose another run: `npm run test:model`.
 */
const { requests, seed, isLong } = runSize("MODEL");
const requestsPerWorld = 500;
const batchSize = 50;

const fresh = useFreshDatabase();
let app: FastifyInstance;

beforeAll(async () => {
  const limits = { rest: 1e9, mcp: 1e9, ticketing: 1e9 };
  // Nothing listens there: a 502 shows that a call passed every check.
  const ticketing = { url: "http://127.0.0.1:9", apiKey: "unused" };
  app = buildApp({ ...loadConfig({}), limits, ticketing, logLevel: "silent" }, fresh.db, createLog("silent"), {
    // The limit towards the platform is not a rule of access.
    platformRequests: 1_000_000,
  });
});
afterAll(() => app.close());

it(`${requests} requests of seed ${seed} are answered as the model expects`, { timeout: 3_600_000 }, async () => {
  const random = createRandom(seed);
  const kinds = new Map<string, number>();
  for (let done = 0; done < requests; ) {
    const world = createWorld(random);
    await storeWorld(fresh.db, world, hashOf);
    for (let n = 0; n < requestsPerWorld && done < requests; n += batchSize, done += batchSize) {
      const batch = Array.from({ length: batchSize }, () => ask(world, random));
      await Promise.all(batch.map(({ key, question }) => compare(world, key, question, kinds)));
      for (let changes = 0; changes < 3; changes++) await changeWorld(fresh.db, world, random);
    }
    await removeWorld();
  }
  // A run in which everything is refused would prove nothing.
  const outcomes = ["poster 200", "poster 403", "tool reached", "tool unknown tool"];
  const rare = ["poster 404", "patch 200", "events 200", "events 404", "tool forbidden"];
  for (const outcome of [...outcomes, ...(isLong ? [...rare, "ticketing 502", "ticketing 409"] : [])]) {
    expect(kinds.get(outcome) ?? 0, outcome).toBeGreaterThan(0);
  }
});

async function compare(world: World, key: Key, question: Question, kinds: Map<string, number>): Promise<void> {
  const expected = expectedAnswer(world, key, question);
  const answered = await answer(key, question);
  const { state, conference, organization, scopes } = key;
  expect(answered, JSON.stringify({ seed, question, key: { state, conference, organization, scopes } })).toEqual(
    expected,
  );
  const outcome = `${question.kind} ${expected.status}`;
  kinds.set(outcome, (kinds.get(outcome) ?? 0) + 1);
}

function ask(world: World, random: Random): { key: Key; question: Question } {
  const key = random.pick(world.keys);
  const idOf = (rows: { id: string }[]) => (random.chance(0.03) ? random.uuid() : random.pick(rows).id);
  const published = random.chance(0.5) ? {} : { published: random.chance(0.5) };
  const event = idOf(world.events);
  const questions: (() => Question)[] = [
    () => ({ kind: "ping" }),
    () => ({ kind: "conferences" }),
    () => ({
      kind: "events",
      conference: idOf(world.conferences),
      ...(random.chance(0.5) ? {} : { category: random.pick(categories) }),
    }),
    () => ({
      kind: "posters",
      ...published,
      ...(random.chance(0.5) ? {} : { event_id: event }),
      ...(random.chance(0.5) ? {} : { conference_id: idOf(world.conferences) }),
    }),
    () => ({ kind: "event posters", event, ...published }),
    () => ({ kind: "poster", poster: idOf(world.posters) }),
    () => ({ kind: "patch", poster: idOf(world.posters) }),
    () => ({ kind: "ticketing", event, write: random.chance(0.5) }),
    () => ({ kind: "tools" }),
    ...Array.from({ length: 3 }, () => () => ({
      kind: "tool" as const,
      name: random.pick(toolPermissions).name,
      event,
    })),
    () => {
      const { id, event: own } = random.pick(world.registrations);
      return { kind: "registration", event: random.chance(0.7) ? own : event, registration: id };
    },
  ];
  return { key, question: random.pick(questions)() };
}

async function answer(key: Key, question: Question): Promise<Answer> {
  switch (question.kind) {
    case "ping":
      return rest(key, "/api/svc/ping");
    case "conferences":
      return rest(key, "/api/svc/conferences?limit=200");
    case "events":
      return rest(key, `/api/svc/conferences/${question.conference}/events?${query({ category: question.category })}`);
    case "posters": {
      const { event_id, conference_id, published } = question;
      return rest(key, `/api/svc/posters?${query({ event_id, conference_id, published })}`);
    }
    case "event posters":
      return rest(key, `/api/svc/events/${question.event}/posters?${query({ published: question.published })}`);
    case "poster":
      return rest(key, `/api/svc/posters/${question.poster}`);
    case "patch":
      return rest(key, `/api/svc/posters/${question.poster}`, "PATCH", { posted_urls: { x: "https://x.example/1" } });
    case "ticketing":
      return question.write
        ? rest(key, "/api/ticketing/event/coupons", "POST", { event_id: question.event })
        : rest(key, `/api/ticketing/event/get?id=${question.event}`);
    case "tools":
      return tool(key, { method: "tools/list" });
    case "tool": {
      const args = argumentsOf(question.name, question.event);
      return tool(key, { method: "tools/call", params: { name: question.name, arguments: args } });
    }
    case "registration": {
      const args = { event_id: question.event, registration_id: question.registration };
      return tool(key, { method: "tools/call", params: { name: "get_event_registration_details", arguments: args } });
    }
  }
}

function query(given: Record<string, string | boolean | undefined>): string {
  const text = new URLSearchParams({ limit: "200" });
  for (const [name, value] of Object.entries(given)) if (value !== undefined) text.set(name, String(value));
  return text.toString();
}

async function rest(key: Key, url: string, method: "GET" | "PATCH" | "POST" = "GET", body?: object): Promise<Answer> {
  const response = await app.inject({
    method,
    url,
    headers: bearer(key),
    ...(body === undefined ? {} : { payload: body }),
  });
  if (response.statusCode !== 200) return { status: response.statusCode } as Answer;
  const { items, id } = response.json<{ items?: { id: string }[]; id?: string }>();
  return { status: 200, ids: items?.map((item) => item.id) ?? (id === undefined ? [] : [id]) };
}

async function tool(key: Key, message: object): Promise<Answer> {
  const response = await app.inject({
    method: "POST",
    url: "/api/mcp",
    headers: { ...bearer(key), host: "localhost" },
    payload: { jsonrpc: "2.0", id: 1, ...message },
  });
  if (response.statusCode !== 200) return { status: response.statusCode } as Answer;
  const { result, error } = response.json();
  if (error !== undefined) return { status: error.message.startsWith("Unknown tool") ? "unknown tool" : error };
  if (result.tools !== undefined) return { status: 200, ids: result.tools.map(({ name }: { name: string }) => name) };
  const { error: refused, items, registration } = result.structuredContent;
  if (refused?.code === "forbidden") return { status: "forbidden" };
  if (refused?.message.startsWith("Event not found")) return { status: "not_found" };
  // Which records a caller sees is not part of the model: test/mcp/list-changes.test.ts.
  if (items !== undefined && isOfTool(message, "list_changes")) return { status: "reached" };
  if (items !== undefined) return { status: 200, ids: items.map(({ id }: { id: string }) => id).sort() };
  return registration === undefined ? { status: "reached" } : { status: 200, ids: [registration.id] };
}

function isOfTool(message: object, name: string): boolean {
  return "params" in message && (message.params as { name?: string }).name === name;
}

const nowhere = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;

/** Valid arguments, so that only access can be refused; what they name does not exist. */
function argumentsOf(name: string, eventId: string): Record<string, unknown> {
  const example = exampleInputs[name];
  if (example !== undefined) {
    return example({
      eventId,
      posterId: nowhere(0),
      doorLinkId: nowhere(0),
      organizationId: nowhere(0),
      apiKeyId: nowhere(0),
      appId: nowhere(0),
      memberId: nowhere(0),
      invitationId: nowhere(0),
      recordId: nowhere(0),
      drawnPosterId: nowhere(0),
      conferenceId: nowhere(0),
      returnedEventId: eventId,
      imageUrl: `${publicUrl}/images/${"0".repeat(64)}.png`,
      otherOrganizationId: nowhere(1),
      cohostOrganizationId: nowhere(2),
      registrationIds: { pending: nowhere(0), approved: nowhere(1), waitlisted: nowhere(2), declined: nowhere(3) },
      speakerIds: [nowhere(0), nowhere(1), nowhere(2)],
      segmentIds: [nowhere(0), nowhere(1), nowhere(2)],
      caller: undefined as never,
    });
  }
  if (name === "get_event_registration_details") return { event_id: eventId, registration_id: nowhere(0) };
  // Which changes of an event are listed depends on who has made them: test/mcp/list-changes.test.ts.
  return ["get_organization_admin_snapshot", "list_changes"].includes(name) ? {} : { event_id: eventId };
}

const bearer = ({ secret }: Key) => ({ authorization: `Bearer ${secret}` });

function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

async function removeWorld(): Promise<void> {
  for (const table of ["conferences", "organizations", "users", "api_keys"]) {
    await fresh.db.query(raw(`delete from ${table}`));
  }
}
