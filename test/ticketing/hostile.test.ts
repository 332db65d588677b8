import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type LinkedEvent, type RunningProxy, startProxy } from "./support/proxy.js";
import { httpAnswer, type Recorder, startRecorder } from "./support/recorder.js";

/** A client with a valid key that wants to reach events which its organization does not host. */

let proxy: RunningProxy;
let upstream: Recorder;
let key: string;
let mine: LinkedEvent;
let theirs: LinkedEvent;
const myTicketType = "ett-mine";
const theirTicketType = "ett-theirs";

beforeAll(async () => {
  upstream = await startRecorder((request) => {
    if (!request.path.endsWith("/ticket-types/list")) return httpAnswer(200, {});
    const asked = request.query.find(([name]) => name === "event_id")?.[1];
    return httpAnswer(200, { ticket_types: [{ id: asked === mine.ticketingId ? myTicketType : theirTicketType }] });
  });
  proxy = await startProxy(upstream.url);
  const organization = await proxy.make.organization();
  key = await proxy.make.organizationKey(organization);
  mine = await proxy.linkedEvent([organization]);
  theirs = await proxy.linkedEvent([await proxy.make.organization()]);
});

beforeEach(() => {
  upstream.received.length = 0;
});

afterAll(async () => {
  await proxy.close();
  await upstream.close();
});

/** Nothing of theirs is in any byte that was sent, however it is written. */
function expectNothingOfTheirs(): void {
  for (const { raw } of upstream.received) {
    const text = decodeURIComponent(raw.replace(/%(?![0-9a-f]{2})/gi, "%25"));
    for (const secret of [theirs.id, theirs.ticketingId, theirTicketType]) {
      expect(text.toLowerCase()).not.toContain(secret.toLowerCase());
    }
  }
}

const fill = (text: string) =>
  text
    .replaceAll("MINE", mine.id)
    .replaceAll("THEIRS", theirs.id)
    .replaceAll("MYEVT", mine.ticketingId)
    .replaceAll("THEIREVT", theirs.ticketingId)
    .replaceAll("MYTYPE", myTicketType)
    .replaceAll("THEIRTYPE", theirTicketType);

describe("queries", () => {
  const attacks = [
    "event/get?id=MINE&id=THEIRS",
    "event/get?id=MINE&id=MINE",
    "event/get?id=MINE&api_id=THEIREVT",
    "event/get?id=MINE&event_id=THEIRS",
    "event/get?id=MINE&ID=THEIREVT",
    "event/get?id=MINE&Api_Id=THEIREVT",
    "event/get?id=MINE&event_api_id=THEIREVT",
    "event/get?id[]=MINE",
    "event/get?id[]=MINE&id[]=THEIREVT",
    "event/get?id=MINE&id%5B%5D=THEIREVT",
    "event/get?id=MINE,THEIREVT",
    "event/get?id=MINE%26id=THEIREVT",
    "event/get?id=MINE;id=THEIREVT",
    "event/get?id=MINE%00",
    "event/get?id=MINE%0d%0aX-Smuggled:%20THEIREVT",
    "event/get?id=%E0%A4%A",
    "event/get?id=MINE#&id=THEIREVT",
    "event/get?id",
    "event/get-guests?event_id=MINE&event_id=THEIRS",
    "event/get-guests?event_id=MINE&event_api_id=THEIREVT",
    "event/get-guests?event_id=MINE&Event_Id=THEIREVT",
    "event/get-guests?event_id=MINE&EVENT_ID=THEIREVT",
    "event/get-guests?event_id=MINE&eventId=THEIREVT",
    "event/get-guests?event_id=MINE&event_ids=THEIREVT",
    "event/get-guests?event_id=MINE&event-id=THEIREVT",
    "event/get-guests?event_id=MINE&event.id=THEIREVT",
    "event/get-guests?event_id=MINE&event[id]=THEIREVT",
    "event/get-guests?event_id=MINE&event_id%20=THEIREVT",
    "event/get-guests?event_id=MINE&%65vent_id=THEIREVT",
    "event/get-guests?event_id=MINE&%EF%BD%85vent_id=THEIREVT",
    "event/get-guests?event_id=MINE&event_id%E2%80%8B=THEIREVT",
    "event/get-guests?event_id=MINE&id=THEIREVT",
    "event/get-guests?event_id=MINE&pagination_cursor=THEIREVT",
    "event/get-guests?event_id=MINE&anything=THEIREVT",
    "event/get-guests?event_id=MINE&anything=%20THEIREVT%20",
    "event/get-guest?event_id=MINE&id=THEIREVT",
    "event/get-guest?event_id=MINE&id=THEIRS",
    "event/get-guest?event_id=MINE&id=gst-1&id=gst-2",
    "event/get-guest?event_id=MINE&id=gst-1&email=a@example.com",
    "event/ticket-types/get?event_id=MINE",
    "event/ticket-types/get?event_ticket_type_id=MYTYPE",
    "event/ticket-types/get?event_id=MINE&event_ticket_type_id=MYTYPE&event_ticket_type_id=THEIRTYPE",
    "event/ticket-types/get?event_id=MINE&event_ticket_type_id[]=THEIRTYPE",
  ];

  it.each(attacks)("%s", async (attack) => {
    const answer = await proxy.raw(
      `GET /api/ticketing/${fill(attack)} HTTP/1.1\r\nhost: svc\r\nauthorization: Bearer ${key}\r\nconnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(upstream.received).toEqual([]);
  });

  it("lets the same request through when it is honest", async () => {
    const answer = await proxy.raw(
      `GET /api/ticketing/${fill("event/get?id=MINE")} HTTP/1.1\r\nhost: svc\r\nauthorization: Bearer ${key}\r\nconnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(upstream.received.map(({ target }) => target)).toEqual([`/v1/event/get?id=${mine.ticketingId}`]);
  });

  it("drops parameters that the table does not know", async () => {
    const reply = await proxy.call(`event/get-guests?event_id=${mine.id}&pagination_limit=2&calendar=x&redirect=y`, {
      key,
    });
    expect(reply.status).toBe(200);
    expect(upstream.received[0]?.target).toBe(`/v1/event/get-guests?event_id=${mine.ticketingId}&pagination_limit=2`);
  });

  it("writes values anew, so that none can become a parameter", async () => {
    await proxy.call(`event/get-guest?event_id=${mine.id}&email=a%2Bb%26event_id%3Dx%3B%23@example.com`, {
      key,
    });
    expect(upstream.received[0]?.query).toEqual([
      ["event_id", mine.ticketingId],
      ["email", "a+b&event_id=x;#@example.com"],
    ]);
  });
});

describe("bodies", () => {
  const add = '"guests":[{"email":"a@example.com"}]';
  const attacks: [string, string][] = [
    ["event/add-guests", `{"event_id":"MINE","event_id":"THEIRS",${add}}`],
    ["event/add-guests", `{"event_id":"THEIRS","event_id":"MINE",${add}}`],
    ["event/add-guests", `{"event_id":"MINE","event\\u005fid":"THEIREVT",${add}}`],
    ["event/add-guests", `{"event_id":"MINE","event_api_id":"THEIREVT",${add}}`],
    ["event/add-guests", `{"event_id":"MINE","Event_Id":"THEIREVT",${add}}`],
    ["event/add-guests", `{"event_id":"MINE","eventId":"THEIREVT",${add}}`],
    ["event/add-guests", `{"event_id":"MINE","event_id ":"THEIREVT",${add}}`],
    ["event/add-guests", `{"event_id":"MINE","ｅvent_id":"THEIREVT",${add}}`],
    ["event/add-guests", `{"event_id":["MINE","THEIRS"],${add}}`],
    ["event/add-guests", `{"event_id":"MINE","id":"THEIRS",${add}}`],
    ["event/add-guests", `{"event_id":"MINE","guests":[{"email":"a@example.com","name":"THEIRS"}]}`],
    ["event/add-guests", `{"event_id":["MINE"],${add}}`],
    ["event/add-guests", `{"event_id":{"id":"MINE"},${add}}`],
    ["event/add-guests", `{"event_id":null,${add}}`],
    ["event/add-guests", `{"event_id":"MINE","id":"THEIREVT",${add}}`],
    ["event/add-guests", `{"event_id":"MINE","event":{"api_id":"THEIREVT"},${add}}`],
    ["event/add-guests", `{"event_id":"MINE","guests":[{"email":"a@example.com","event_id":"THEIREVT"}]}`],
    ["event/add-guests", `{"event_id":"MINE","guests":[{"email":"a@example.com","event_api_id":"x"}]}`],
    ["event/add-guests", `{"event_id":"MINE","guests":[{"email":"a","email":"b"}]}`],
    ["event/add-guests", `{"event_id":"MINE",${add},"ticket":{"event_ticket_type_id":"THEIRTYPE"}}`],
    [
      "event/add-guests",
      `{"event_id":"MINE",${add},"tickets":[{"event_ticket_type_id":"MYTYPE"},{"event_ticket_type_id":"THEIRTYPE"}]}`,
    ],
    ["event/add-guests", `{"event_id":"MINE",${add},"ticket":{"Event_Ticket_Type_Id":"THEIRTYPE"}}`],
    ["event/add-guests", `{"event_id":"MINE",${add},"ticket":{"id":"THEIRTYPE"}}`],
    ["event/add-guests", `{"event_id":"MINE",${add},"ticket":"THEIRTYPE"}`],
    ["event/add-guests", `{"event_id":"MINE",${add},"__proto__":{"event_id":"THEIREVT"}}`],
    ["event/add-guests", `[{"event_id":"MINE",${add}}]`],
    ["event/add-guests", `"MINE"`],
    ["event/add-guests", `{"event_id":"MINE",${add}} {"event_id":"THEIRS"}`],
    ["event/add-guests", `\ufeff{"event_id":"MINE",${add}}`],
    ["event/add-guests", `{"event_id":"MINE",${add},}`],
    ["event/add-guests", `{"event_id":"MINE",${add},"n":1e999}`],
    ["event/add-guests", `{"event_id":"MINE",${add},"n":12345678901234567890}`],
    ["event/add-guests", `{"event_id":"MINE",${add},"text":"\\u0000"}`],
    ["event/add-guests", `{"event_id":"MINE",${add},"text":"\\ud800"}`],
    ["event/add-guests", `{"event_id":"MINE","deep":${"[".repeat(100)}${"]".repeat(100)}}`],
    ["event/add-guests", `event_id=MINE&event_id=THEIRS`],
    ["event/add-guests", ``],
    ["event/add-guests?event_id=THEIRS", `{"event_id":"MINE",${add}}`],
    ["event/add-guests?event_id=MINE", `{"event_id":"MINE",${add}}`],
    ["event/add-guests?Event_Api_Id=THEIREVT", `{"event_id":"MINE",${add}}`],
    ["event/add-guests?event_id=MINE", `{${add}}`],
    ["event/ticket-types/update", `{"event_id":"MINE","event_ticket_type_id":"THEIRTYPE","name":"x"}`],
    ["event/ticket-types/update", `{"event_id":"MINE","event_ticket_type_id":["MYTYPE","THEIRTYPE"]}`],
    [
      "event/ticket-types/update",
      `{"event_id":"MINE","event_ticket_type_id":"MYTYPE","Event_Ticket_Type_Id":"THEIRTYPE"}`,
    ],
    [
      "event/ticket-types/update",
      `{"event_id":"MINE","event_ticket_type_id":"MYTYPE","event_ticket_type_id":"THEIRTYPE"}`,
    ],
    ["event/ticket-types/update", `{"event_id":"THEIRS","event_ticket_type_id":"THEIRTYPE"}`],
    ["event/ticket-types/update", `{"event_ticket_type_id":"MYTYPE"}`],
    ["event/ticket-types/delete", `{"event_id":"MINE","event_ticket_type_id":"THEIRTYPE"}`],
    ["event/ticket-types/delete", `{"event_id":"MINE"}`],
    ["event/ticket-types/delete?event_ticket_type_id=THEIRTYPE", `{"event_id":"MINE","event_ticket_type_id":"MYTYPE"}`],
  ];

  it.each(attacks)("POST %s %s", async (path, body) => {
    const reply = await proxy.call(fill(path), { key, method: "POST", body: fill(body) });
    expect(reply.status, reply.text).toBeGreaterThanOrEqual(400);
    expect(reply.status, reply.text).toBeLessThan(500);
    // The look at one's own ticket types is all that may go out.
    expect(upstream.received.filter(({ path: sent }) => !sent.endsWith("/ticket-types/list"))).toEqual([]);
    expectNothingOfTheirs();
  });

  it("sends what it read, not what it got", async () => {
    const text = `  {"guests" : [{"email":"a@example.com"}],\n "event_id":"${mine.id}", "send_email": false}  `;
    expect((await proxy.call("event/add-guests", { key, method: "POST", body: text })).status).toBe(200);
    expect(upstream.received[0]?.body).toBe(
      `{"event_id":"${mine.ticketingId}","guests":[{"email":"a@example.com"}],"send_email":false}`,
    );
  });

  it("wants JSON in UTF-8, not compressed, of at most 1 MiB", async () => {
    const body = JSON.stringify({ event_id: mine.id, guests: [] });
    const post = (headers: Record<string, string>, text: string | Buffer = body) =>
      fetch(`${proxy.url}/api/ticketing/event/add-guests`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
        body: text,
      }).then(({ status }) => status);
    expect(await post({ "content-type": "text/plain" })).toBe(415);
    expect(await post({ "content-type": "application/x-www-form-urlencoded" })).toBe(415);
    expect(await post({ "content-type": "application/json; charset=utf-16" })).toBe(415);
    expect(await post({ "content-type": "application/json, text/plain" })).toBe(415);
    expect(await post({ "content-encoding": "gzip" })).toBe(415);
    expect(await post({}, Buffer.from([0x22, 0xff, 0x22]))).toBe(400);
    expect(await post({}, JSON.stringify({ event_id: mine.id, pad: "x".repeat(1024 * 1024) }))).toBe(413);
    expect(upstream.received).toEqual([]);
    expect(await post({}, JSON.stringify({ event_id: mine.id, pad: "x".repeat(1000 * 1024) }))).toBe(200);
    expect(await post({ "content-type": "application/json;charset=UTF-8" })).toBe(200);
  });

  it("takes a DELETE by query or by body, not by both", async () => {
    const fields = { event_id: mine.id, event_ticket_type_id: myTicketType };
    const query = new URLSearchParams(fields);
    expect((await proxy.call(`event/ticket-types?${query}`, { key, method: "DELETE" })).status).toBe(200);
    expect(upstream.received.at(-1)).toMatchObject({
      target: "/v1/event/ticket-types/delete",
      body: JSON.stringify({ event_ticket_type_id: myTicketType }),
    });
    const sent = upstream.received.length;
    expect((await proxy.call(`event/ticket-types?${query}`, { key, method: "DELETE", body: fields })).status).toBe(400);
    const theirQuery = new URLSearchParams({ ...fields, event_ticket_type_id: theirTicketType });
    expect((await proxy.call(`event/ticket-types?${theirQuery}`, { key, method: "DELETE" })).status).toBe(404);
    expect(upstream.received.slice(sent).map(({ path }) => path)).toEqual(["/v1/event/ticket-types/list"]);
    expectNothingOfTheirs();
  });
});

describe("request lines over raw sockets", () => {
  const targets = [
    "/api/ticketing/event/get/?id=MINE",
    "/api/ticketing//event/get?id=MINE",
    "/api/ticketing/event//get?id=MINE",
    "//api/ticketing/event/get?id=MINE",
    "/api/ticketing/./event/get?id=MINE",
    "/api/ticketing/event/../event/get?id=MINE",
    "/api/ticketing/event/%2e%2e/calendar/list-events",
    "/api/ticketing/event/get/../get-guests?event_id=MINE",
    "/api/ticketing/event/get%2f..%2fget-guests?event_id=MINE",
    "/api/ticketing/event%2fget?id=MINE",
    "/api/ticketing/event%252fget?id=MINE",
    "/api/ticketing/event/%67et?id=MINE",
    "/api/%74icketing/event/get?id=MINE",
    "/api/ticketing/Event/get?id=MINE",
    "/API/ticketing/event/get?id=MINE",
    "/api/ticketing/event/get;id=THEIRS?id=MINE",
    "/api/ticketing/event/get;?id=MINE",
    "/api/ticketing/event\\get?id=MINE",
    "/api/ticketing/event/get#x?id=MINE",
    "/api/ticketing/event/get%00?id=MINE",
    "/api/ticketing/event/get%20?id=MINE",
    "/api/ticketing/event/get%23?id=MINE",
    "/api/ticketing/event/get%3Fid=THEIRS?id=MINE",
    "/api/ticketing/event/get.json?id=MINE",
    "/api/ticketing/event/g%E1%BA%BDt?id=MINE",
    "/api/ticketing/event/lookup?id=MINE",
    "/api/ticketing/calendar/list-events",
    "/api/ticketing/event/coupons/delete",
    "/api/ticketing/event/ticket-types/",
    "/api/ticketing/event",
    "/api/ticketing/",
    "/api/ticketing",
    "/api/ticketing/http://127.0.0.1/event/get?id=MINE",
    "http://127.0.0.1/api/ticketing/event/get?id=MINE",
    "https://platform.example.com/v1/event/get?id=MINE",
    "http://user:pass@127.0.0.1/api/ticketing/event/get?id=MINE",
  ];

  it.each(targets)("404: %s", async (target) => {
    const answer = await proxy.raw(
      `GET ${fill(target)} HTTP/1.1\r\nhost: svc\r\nauthorization: Bearer ${key}\r\nconnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).toContain('{"error":');
    expect(upstream.received).toEqual([]);
  });

  it.each([
    "GET /api/ticketing/event/g\u0001et?id=MINE HTTP/1.1\r\nhost: svc\r\n\r\n",
    "GET /api/ticketing/event/g%zzet?id=MINE HTTP/1.1\r\nhost: svc\r\nauthorization: Bearer KEY\r\nconnection: close\r\n\r\n",
    "GET /api/ticketing/event/%c0%ae%c0%ae/get?id=MINE HTTP/1.1\r\nhost: svc\r\nauthorization: Bearer KEY\r\nconnection: close\r\n\r\n",
    "GET * HTTP/1.1\r\nhost: svc\r\nconnection: close\r\n\r\n",
    "CONNECT platform.example.com:443 HTTP/1.1\r\nhost: svc\r\n\r\n",
  ])("refused: %s", async (request) => {
    const answer = await proxy.raw(fill(request).replace("KEY", key));
    expect(answer).not.toMatch(/^HTTP\/1\.1 [23]/);
    expect(upstream.received).toEqual([]);
  });
});

describe("requests that say two things at once", () => {
  const head = (path: string, method = "POST") =>
    `${method} /api/ticketing/${path} HTTP/1.1\r\nhost: svc\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n`;
  const hidden = () => `POST /v1/event/add-guests HTTP/1.1\r\nhost: x\r\n\r\n{"event_id":"${theirs.ticketingId}"}`;

  it("refuses a length together with chunks, in either order, and two lengths", async () => {
    const body = JSON.stringify({ event_id: mine.id, guests: [] });
    for (const lines of [
      `content-length: ${body.length}\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${hidden()}`,
      `transfer-encoding: chunked\r\ncontent-length: 4\r\n\r\n0\r\n\r\n${hidden()}`,
      `content-length: ${body.length}\r\ncontent-length: 3\r\n\r\n${body}`,
      `transfer-encoding: identity\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      `transfer-encoding: xchunked\r\n\r\n${body}`,
      `content-length: -1\r\n\r\n${body}`,
    ]) {
      const answer = await proxy.raw(head("event/add-guests") + lines);
      expect(answer).toMatch(/^HTTP\/1\.1 [45]/);
    }
    expect(upstream.received).toEqual([]);
  });

  it("does not pass on a body that a GET brings", async () => {
    const body = JSON.stringify({ event_id: theirs.ticketingId });
    const answer = await proxy.raw(
      `${head(`event/get?id=${mine.id}`, "GET")}content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(upstream.received).toEqual([]);
  });

  it("does not pass on a body that was cut off", async () => {
    const body = JSON.stringify({ event_id: mine.id, guests: [] });
    const answer = await proxy.raw(`${head("event/add-guests")}content-length: ${body.length + 10}\r\n\r\n${body}`);
    expect(answer).not.toMatch(/^HTTP\/1\.1 2/);
    expect(upstream.received).toEqual([]);
  });

  it("passes on no header of the caller's", async () => {
    const reply = await proxy.call(`event/get?id=${mine.id}`, {
      key,
      headers: {
        "x-luma-api-key": "mine",
        "x-forwarded-host": "evil.example.com",
        "x-http-method-override": "DELETE",
        "x-original-url": "/v1/event/get-guests",
        cookie: "a=b",
        range: "bytes=0-1",
        "if-none-match": "*",
      },
    });
    expect(reply.status).toBe(200);
    const [sent] = upstream.received;
    expect(sent?.headers.map(([name]) => name).sort()).toEqual([
      "accept",
      "accept-encoding",
      "connection",
      "host",
      "user-agent",
      "x-luma-api-key",
    ]);
    expect(sent?.raw).not.toContain(key);
    expect(sent?.raw).not.toContain("evil");
  });
});

describe("limits", () => {
  it("counts an organization's keys together, and other keys by themselves", async () => {
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

  it("answers 503 where no platform is configured", async () => {
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
