import { connect } from "node:net";
import { text } from "node:stream/consumers";
import sql from "sql-template-tag";
import { beforeAll, describe, expect, it } from "vitest";
import { consoleRoutes, consoleTools, platformTools, tools } from "../../src/registry.js";
import { startConsole } from "../console/support.js";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { createMemoryLog } from "../support/memory-log.js";
import { useService } from "../support/setup.js";

/** Requests of the console that no page makes. None may be a 500, or reach what belongs to others. */

const { service, make } = useService(() => startConsole({}, { consoleLimit: 1_000_000 }, { log }));
let fixture: EventFixture;
let owner: string;
let stranger: string;
let foreignEvent: string;
const { log, text: logged } = createMemoryLog();

beforeAll(async () => {
  fixture = await createEventFixture(service.db);
  owner = await service.signIn(fixture.caller.userId);
  await service.db.query(sql`update users set platform_admin = true where id = ${fixture.caller.userId}`);
  stranger = await service.signIn(await make.member(fixture.otherOrganizationId, "owner"));
  foreignEvent = await make.event(await make.conference(), { hosts: [await make.organization()] });
});

const oddTexts = {
  "a NUL character": "a\u0000b",
  "half a character": "\ud800",
  "a line break": "a\r\nb",
  "bidirectional marks": "\u202e\u2066abc",
  "an emoji of many parts": "👩‍👩‍👧‍👦".repeat(20),
  "a quote": "'; drop table events; --",
  "a pattern": "%_\\",
  "a search operator": "a' & !b:* | <->",
  "a path": "../../etc/passwd",
  "a long text": "a".repeat(5_000),
  nothing: "",
  "a name of a prototype": "__proto__",
};

const routes = consoleRoutes.filter(({ path }) => !path.endsWith("/changes"));

function urlOf(path: string, value: (name: string) => string): string {
  return path.replace(/^\/api\/console\//, "").replaceAll(/:(\w+)/g, (_, name: string) => value(name));
}

const known = (name: string) =>
  ({
    organization: fixture.organizationId,
    event: fixture.eventId,
    registration: fixture.registrationIds.approved,
    tool: "update_organization_profile",
  })[name] ?? fixture.eventId;

async function send(method: string, url: string, body: string | undefined, headers: Record<string, string> = {}) {
  const response = await fetch(`${service.url}/api/console/${url}`, {
    method,
    redirect: "manual" as const,
    headers: { origin: service.url, cookie: owner, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, text: await response.text() };
}

/** Percent-encoded as UTF-8; half a character as the bytes that it would have. */
const encoded = (value: string) =>
  value === "\ud800" ? "%ED%A0%80" : encodeURIComponent(value).replaceAll("..", "%2E%2E");

const values = Object.values(oddTexts);

/** The values in turn, so that each place takes some of them and each value comes to many places. */
let turn = 0;
const nextValues = (count: number) => Array.from({ length: count }, () => values[turn++ % values.length] ?? "");

describe("odd texts", () => {
  it("in every parameter of every path", async () => {
    for (const { method, path } of routes) {
      for (const [, name] of path.matchAll(/:(\w+)/g)) {
        for (const value of nextValues(3)) {
          const url = urlOf(path, (other) => (other === name ? encoded(value) : known(other)));
          await expectNoFault(method, url, method === "POST" ? "{}" : undefined);
        }
      }
    }
  });

  it("in every parameter of every query", async () => {
    for (const { method, path, query } of routes) {
      for (const name of Object.keys(query?.shape ?? {})) {
        const required = path.endsWith("poster-preview") ? "template=headline&format=square&" : "";
        for (const value of nextValues(3))
          await expectNoFault(method, `${urlOf(path, known)}?${required}${name}=${encoded(value)}`);
      }
    }
  });

  it("in every field of every body and every argument of every tool, all at once and one by one", async () => {
    for (const { url, fields } of inputs()) {
      for (const value of nextValues(3))
        await expectNoFault("POST", url, JSON.stringify(Object.fromEntries(fields.map((field) => [field, value]))));
      for (const field of fields) {
        const [value] = nextValues(1);
        await expectNoFault("POST", url, JSON.stringify({ [field]: value, event_id: fixture.eventId }));
      }
    }
  });
});

async function expectNoFault(method: string, url: string, body?: string): Promise<void> {
  const { status, text } = await send(method, url, body);
  expect(status, `${method} ${url} ${body?.slice(0, 200)}: ${text}`).toBeLessThan(500);
}

/** Every request with a body, with the names of its fields. */
function inputs(): { url: string; fields: string[] }[] {
  const bodies = routes
    .filter(({ method, path }) => method === "POST" && !path.endsWith("sign-out"))
    .map(({ path, body }) => ({
      url: urlOf(path, known),
      fields: Object.keys((body as { shape?: object } | undefined)?.shape ?? {}),
    }));
  const arguments_ = [
    ...[...tools, ...consoleTools].map((tool) => ({ tool, base: `organizations/${fixture.organizationId}` })),
    ...platformTools.map((tool) => ({ tool, base: "admin" })),
  ].map(({ tool, base }) => ({ url: `${base}/tools/${tool.name}`, fields: Object.keys(tool.input.shape) }));
  return [...bodies, ...arguments_];
}

describe("a body", () => {
  it.each([
    ["of a megabyte", `{"a":"${"a".repeat(1 << 20)}"}`, [413]],
    ["that is empty", "", [400, 401, 404]],
    ["that is cut off", '{"email":', [400]],
    ["that is a list", "[1]", [400]],
    ["that is null", "null", [400, 401, 404]],
    ["that is nested deeply", `${"[".repeat(30_000)}${"]".repeat(30_000)}`, [400]],
    ["with a prototype", '{"__proto__":{"platformAdmin":true},"constructor":{"prototype":{}}}', [400]],
    ["with repeated keys", '{"email":"a@example.com","email":"b@example.com","password":"x"}', [400, 401]],
  ])("%s is refused", async (_, body, statuses) => {
    for (const url of ["sign-in", `organizations/${fixture.organizationId}/tools/update_organization_profile`]) {
      const { status, text } = await send("POST", url, body);
      expect(
        [...statuses, 200].filter((each) => each !== 200 || !url.startsWith("sign")),
        `${url} ${text}`,
      ).toContain(status);
    }
  });

  it("of another type is refused", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
      const { status } = await send("POST", "sign-in", "email=a@example.com&password=b", { "content-type": type });
      expect(status, type).toBe(415);
    }
  });
});

describe("a cookie", () => {
  it.each([
    ["svc_session="],
    ["svc_session=%00"],
    ["svc_session=' or 1=1 --"],
    [`svc_session=${"a".repeat(6_000)}`],
    ["svc_session=a; svc_session=b; svc_session=c"],
    ["__proto__=x; constructor=y"],
    ["svc_session"],
    [";;;=;="],
  ])("%s is no session", async (cookie) => {
    const { status } = await send("GET", "account/sessions", undefined, { cookie });
    expect(status).toBe(401);
  });
});

describe("the Origin", () => {
  const change = (headers: Record<string, string>) => send("POST", "account/profile", '{"name":"Eve"}', headers);

  it("of another site is refused, and one that only looks like ours", async () => {
    const { host } = new URL(service.url);
    for (const origin of [
      ...[
        "null",
        "https://evil.example",
        `${service.url}.evil.example`,
        "https://svc.test.evil.example",
        "file://",
        "",
      ],
      ...[`http://evil.example/${host}`, `http://${host}@evil.example`, "http://127.0.0.1", `${service.url}0`],
    ]) {
      expect((await change({ origin })).status, origin).toBe(403);
    }
  });

  it("is needed, also by a client that names no host", async () => {
    const { hostname, port } = new URL(service.url);
    const body = '{"name":"Eve"}';
    for (const origin of ["", "Origin: null\r\n"]) {
      const socket = connect(Number(port), hostname);
      socket.write(
        `POST /api/console/account/profile HTTP/1.0\r\nCookie: ${owner}\r\n${origin}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      expect(await text(socket)).toMatch(/^HTTP\/1\.\d (403|400)/);
    }
  });
});

describe("what belongs to others", () => {
  it("every read of an event that the organization does not host is refused", async () => {
    for (const { method, path } of routes.filter(({ path }) => path.includes(":event"))) {
      const query = path.endsWith("poster-preview") ? "?template=headline&format=square" : "";
      const url = urlOf(path, (name) => (name === "event" ? foreignEvent : known(name))) + query;
      const { status, text } = await send(method, url, method === "POST" ? '{"code":"x"}' : undefined);
      expect([403, 404], `${url}: ${status} ${text}`).toContain(status);
    }
  });

  it("a guest of another event has no code in this one", async () => {
    const other = await make.event(await make.conference(), { hosts: [fixture.organizationId] });
    const base = `organizations/${fixture.organizationId}/events`;
    const guest = fixture.registrationIds.approved;
    expect((await service.get(`${base}/${other}/guests/${guest}/code`, owner)).status).toBe(404);
    const { code } = (await service.get(`${base}/${fixture.eventId}/guests/${guest}/code`, owner)).json;
    expect((await service.post(`${base}/${fixture.eventId}/door/scan`, owner, { code })).status).toBe(200);
    const changed = `${code.slice(0, -1)}${code.endsWith("A") ? "B" : "A"}`;
    for (const [event, forged] of [
      [other, code],
      [fixture.eventId, changed],
      [fixture.eventId, `${code}A`],
    ]) {
      expect((await service.post(`${base}/${event}/door/scan`, owner, { code: forged })).status).toBe(404);
    }
  });

  it("tools refuse the events, keys, people and invitations of others", async () => {
    await make.organizationKey(fixture.organizationId, { userId: fixture.caller.userId });
    const [key] = await service.db.query<{ id: string }>(
      sql`select id from api_keys where organization_id = ${fixture.organizationId} limit 1`,
    );
    const invitation_id = await make.invitation(fixture.organizationId);
    const others = {
      event_id: fixture.eventId,
      key_id: key?.id,
      user_id: fixture.caller.userId,
      invitation_id,
      registration_id: fixture.registrationIds.approved,
      role: "member",
    };
    for (const tool of [...tools, ...consoleTools]) {
      const names = Object.keys(tool.input.shape);
      if (!names.some((name) => ["event_id", "key_id", "user_id", "invitation_id"].includes(name))) continue;
      const args = Object.fromEntries(Object.entries(others).filter(([name]) => names.includes(name)));
      const reply = await service.post(
        `organizations/${fixture.otherOrganizationId}/tools/${tool.name}`,
        stranger,
        args,
      );
      expect([400, 403, 404], `${tool.name}: ${reply.status} ${reply.text}`).toContain(reply.status);
      expect(reply.text).not.toContain("Ann");
    }
  });
});

it("nothing of this was an error of the service", () => {
  expect(logged()).not.toMatch(/"level":(50|60|"error"|"fatal")/);
});
