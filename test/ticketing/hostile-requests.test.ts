import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type LinkedEvent, type RunningProxy, startProxy } from "./support/proxy.js";
import { httpResponse, type RecordingUpstream, startRecordingUpstream } from "./support/recording-upstream.js";

/** Requests of a client with a valid key that tries to reach events which its organization does not host. */

let proxy: RunningProxy;
let upstream: RecordingUpstream;
let key: string;
let mine: LinkedEvent;
let theirs: LinkedEvent;
const myTicketType = "ett-mine";
const theirTicketType = "ett-theirs";

beforeAll(async () => {
  upstream = await startRecordingUpstream((request) => {
    if (!request.path.endsWith("/ticket-types/list")) return httpResponse(200, {});
    const eventId = request.query.find(([name]) => name === "event_id")?.[1];
    return httpResponse(200, { ticket_types: [{ id: eventId === mine.ticketingId ? myTicketType : theirTicketType }] });
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

describe("hostile request lines", () => {
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

  it.each(targets)("returns 404: %s", async (target) => {
    const response = await getTarget(target);
    expect(response).toMatch(/^HTTP\/1\.1 404 /);
    expect(response).toContain('{"error":');
    expect(upstream.received).toEqual([]);
  });

  it.each([
    "GET /api/ticketing/event/g\u0001et?id=MINE HTTP/1.1\r\nhost: svc\r\n\r\n",
    "GET /api/ticketing/event/g%zzet?id=MINE HTTP/1.1\r\nhost: svc\r\nauthorization: Bearer KEY\r\nconnection: close\r\n\r\n",
    "GET /api/ticketing/event/%c0%ae%c0%ae/get?id=MINE HTTP/1.1\r\nhost: svc\r\nauthorization: Bearer KEY\r\nconnection: close\r\n\r\n",
    "GET * HTTP/1.1\r\nhost: svc\r\nconnection: close\r\n\r\n",
    "CONNECT platform.example.com:443 HTTP/1.1\r\nhost: svc\r\n\r\n",
  ])("rejects %s", async (request) => {
    const response = await proxy.raw(fill(request).replace("KEY", key));
    expect(response).not.toMatch(/^HTTP\/1\.1 [23]/);
    expect(upstream.received).toEqual([]);
  });
});

describe("ambiguous requests", () => {
  const head = (path: string, method = "POST") =>
    `${method} /api/ticketing/${path} HTTP/1.1\r\nhost: svc\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n`;
  const hidden = () => `POST /v1/event/add-guests HTTP/1.1\r\nhost: x\r\n\r\n{"event_id":"${theirs.ticketingId}"}`;

  it("rejects Content-Length with Transfer-Encoding, in either order, and repeated lengths", async () => {
    const body = JSON.stringify({ event_id: mine.id, guests: [] });
    for (const lines of [
      `content-length: ${body.length}\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${hidden()}`,
      `transfer-encoding: chunked\r\ncontent-length: 4\r\n\r\n0\r\n\r\n${hidden()}`,
      `content-length: ${body.length}\r\ncontent-length: 3\r\n\r\n${body}`,
      `transfer-encoding: identity\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      `transfer-encoding: xchunked\r\n\r\n${body}`,
      `content-length: -1\r\n\r\n${body}`,
    ]) {
      const response = await proxy.raw(head("event/add-guests") + lines);
      expect(response).toMatch(/^HTTP\/1\.1 [45]/);
    }
    expect(upstream.received).toEqual([]);
  });

  it("does not forward the body of a GET", async () => {
    const body = JSON.stringify({ event_id: theirs.ticketingId });
    const response = await proxy.raw(
      `${head(`event/get?id=${mine.id}`, "GET")}content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
    );
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    expect(upstream.received).toEqual([]);
  });

  it("does not forward a truncated body", async () => {
    const body = JSON.stringify({ event_id: mine.id, guests: [] });
    const response = await proxy.raw(`${head("event/add-guests")}content-length: ${body.length + 10}\r\n\r\n${body}`, {
      halfClose: true,
    });
    expect(response).not.toMatch(/^HTTP\/1\.1 2/);
    expect(upstream.received).toEqual([]);
  });

  it("forwards none of the caller's headers", async () => {
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

describe("hostile queries", () => {
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
    "event/get?id=THEIRUPPERCASE",
    "event/get-guest?event_id=MINE&id=THEIRS",
    "event/get-guest?event_id=MINE&id=THEIRUPPERCASE",
    "event/get-guests?event_id=MINE&anything=THEIRUPPERCASE",
    "event/get-guest?event_id=MINE&id=gst-1&id=gst-2",
    "event/get-guest?event_id=MINE&id=gst-1&email=a@example.com",
    "event/ticket-types/get?event_id=MINE",
    "event/ticket-types/get?event_ticket_type_id=MYTYPE",
    "event/ticket-types/get?event_id=MINE&event_ticket_type_id=MYTYPE&event_ticket_type_id=THEIRTYPE",
    "event/ticket-types/get?event_id=MINE&event_ticket_type_id[]=THEIRTYPE",
  ];

  it.each(attacks)("%s", async (attack) => {
    const response = await getTarget(`/api/ticketing/${attack}`);
    expect(response).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(upstream.received).toEqual([]);
  });

  it("forwards a valid request sent the same way", async () => {
    const response = await getTarget("/api/ticketing/event/get?id=MINE");
    expect(response).toMatch(/^HTTP\/1\.1 200 /);
    expect(upstream.received.map(({ target }) => target)).toEqual([`/v1/event/get?id=${mine.ticketingId}`]);
  });

  it("drops undeclared parameters", async () => {
    const reply = await proxy.call(`event/get-guests?event_id=${mine.id}&pagination_limit=2&calendar=x&redirect=y`, {
      key,
    });
    expect(reply.status).toBe(200);
    expect(upstream.received[0]?.target).toBe(`/v1/event/get-guests?event_id=${mine.ticketingId}&pagination_limit=2`);
  });

  it("encodes values again, so that none can become a parameter", async () => {
    await proxy.call(`event/get-guest?event_id=${mine.id}&email=a%2Bb%26event_id%3Dx%3B%23@example.com`, {
      key,
    });
    expect(upstream.received[0]?.query).toEqual([
      ["event_id", mine.ticketingId],
      ["email", "a+b&event_id=x;#@example.com"],
    ]);
  });
});

describe("hostile bodies", () => {
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
    ["event/add-guests", `{"event_id":"MINE","id":"THEIRUPPERCASE",${add}}`],
    ["event/add-guests", `{"event_id":"THEIRUPPERCASE",${add}}`],
    ["event/add-guests", `{"event_id":"MINE","guests":[{"email":"a@example.com","name":"THEIRUPPERCASE"}]}`],
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
    // Only the lookup of the caller's own ticket types may be sent.
    expect(upstream.received.filter(({ path: sent }) => !sent.endsWith("/ticket-types/list"))).toEqual([]);
    expectNothingOfTheirs();
  });

  it("sends a body built from the parsed fields, not the received bytes", async () => {
    const text = `  {"guests" : [{"email":"a@example.com"}],\n "event_id":"${mine.id}", "send_email": false}  `;
    expect((await proxy.call("event/add-guests", { key, method: "POST", body: text })).status).toBe(200);
    expect(upstream.received[0]?.body).toBe(
      `{"event_id":"${mine.ticketingId}","guests":[{"email":"a@example.com"}],"send_email":false}`,
    );
  });

  it("accepts only uncompressed JSON in UTF-8, up to 256 KiB", async () => {
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
    expect(await post({}, JSON.stringify({ event_id: mine.id, pad: "x".repeat(256 * 1024) }))).toBe(413);
    expect(upstream.received).toEqual([]);
    expect(await post({}, JSON.stringify({ event_id: mine.id, pad: "x".repeat(250 * 1024) }))).toBe(200);
    expect(await post({ "content-type": "application/json;charset=UTF-8" })).toBe(200);
  });

  it("accepts the fields of a DELETE in the query or in the body, not in both", async () => {
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

/** A GET whose request target is sent as written. */
function getTarget(target: string): Promise<string> {
  return proxy.raw(
    `GET ${fill(target)} HTTP/1.1\r\nhost: svc\r\nauthorization: Bearer ${key}\r\nconnection: close\r\n\r\n`,
  );
}

/** No request to the platform contains their ids, in any encoding. */
function expectNothingOfTheirs(): void {
  for (const { raw } of upstream.received) {
    const text = decodeURIComponent(raw.replace(/%(?![0-9a-f]{2})/gi, "%25"));
    for (const secret of [theirs.id, theirs.ticketingId, theirTicketType]) {
      expect(text.toLowerCase()).not.toContain(secret.toLowerCase());
    }
  }
}

function fill(text: string): string {
  return text
    .replaceAll("MINE", mine.id)
    .replaceAll("THEIRUPPERCASE", theirs.ticketingId.toUpperCase())
    .replaceAll("THEIRS", theirs.id)
    .replaceAll("MYEVT", mine.ticketingId)
    .replaceAll("THEIREVT", theirs.ticketingId)
    .replaceAll("MYTYPE", myTicketType)
    .replaceAll("THEIRTYPE", theirTicketType);
}

describe("an event's UUID in another field", () => {
  const refusal = (field: string) => ({
    code: "invalid_input",
    field,
    error: `${field}: expected no event id here; give the event once, as event_id`,
  });

  it.each([
    ["mine", (id: string) => id],
    ["in capitals", (id: string) => id.toUpperCase()],
  ])("is refused with the field that has it: %s", async (_what, spelled) => {
    const body = { event_id: mine.id, guests: [{ email: "a@example.com" }, { note: spelled(mine.id) }] };
    const written = await proxy.call("event/add-guests", { key, method: "POST", body });
    expect([written.status, written.json]).toEqual([400, expect.objectContaining(refusal("guests[1].note"))]);
    const read = await proxy.call(`event/get-guests?event_id=${mine.id}&pagination_cursor=${spelled(theirs.id)}`, {
      key,
    });
    expect([read.status, read.json]).toEqual([400, expect.objectContaining(refusal("pagination_cursor"))]);
    expect(upstream.received).toEqual([]);
  });
});
