import { describe, expect, it } from "vitest";
import { useHostileClient } from "./support/use-hostile-client.js";

const client = useHostileClient();

describe("hostile request lines", () => {
  const targets = [
    "/api/ticketing/event/get//?id=MINE",
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
    "/api/ticketing/event/ticket-types/x/",
    "/api/ticketing/event",
    "/api/ticketing/",
    "/api/ticketing",
    "/api/ticketing/http://127.0.0.1/event/get?id=MINE",
    "http://127.0.0.1/api/ticketing/event/get?id=MINE",
    "https://platform.example.com/v1/event/get?id=MINE",
    "http://user:pass@127.0.0.1/api/ticketing/event/get?id=MINE",
  ];

  it.each(targets)("returns 404: %s", async (target) => {
    const response = await client.getTarget(target);
    expect(response).toMatch(/^HTTP\/1\.1 404 /);
    expect(response).toContain('{"error":');
    expect(client.upstream.received).toEqual([]);
  });

  it.each([
    "GET /api/ticketing/event/g\u0001et?id=MINE HTTP/1.1\r\nhost: svc\r\n\r\n",
    "GET /api/ticketing/event/g%zzet?id=MINE HTTP/1.1\r\nhost: svc\r\nauthorization: Bearer KEY\r\nconnection: close\r\n\r\n",
    "GET /api/ticketing/event/%c0%ae%c0%ae/get?id=MINE HTTP/1.1\r\nhost: svc\r\nauthorization: Bearer KEY\r\nconnection: close\r\n\r\n",
    "GET * HTTP/1.1\r\nhost: svc\r\nconnection: close\r\n\r\n",
    "CONNECT platform.example.com:443 HTTP/1.1\r\nhost: svc\r\n\r\n",
  ])("rejects %s", async (request) => {
    const response = await client.proxy.raw(client.fill(request).replace("KEY", client.key));
    expect(response).not.toMatch(/^HTTP\/1\.1 [23]/);
    expect(client.upstream.received).toEqual([]);
  });
});

describe("ambiguous requests", () => {
  const head = (path: string, method = "POST") =>
    `${method} /api/ticketing/${path} HTTP/1.1\r\nhost: svc\r\nauthorization: Bearer ${client.key}\r\ncontent-type: application/json\r\n`;
  const hidden = () =>
    `POST /v1/event/add-guests HTTP/1.1\r\nhost: x\r\n\r\n{"event_id":"${client.theirs.ticketingId}"}`;

  it("rejects Content-Length with Transfer-Encoding, in either order, and repeated lengths", async () => {
    const body = JSON.stringify({ event_id: client.mine.id, guests: [] });
    for (const lines of [
      `content-length: ${body.length}\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${hidden()}`,
      `transfer-encoding: chunked\r\ncontent-length: 4\r\n\r\n0\r\n\r\n${hidden()}`,
      `content-length: ${body.length}\r\ncontent-length: 3\r\n\r\n${body}`,
      `transfer-encoding: identity\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      `transfer-encoding: xchunked\r\n\r\n${body}`,
      `content-length: -1\r\n\r\n${body}`,
    ]) {
      const response = await client.proxy.raw(head("event/add-guests") + lines);
      expect(response).toMatch(/^HTTP\/1\.1 [45]/);
    }
    expect(client.upstream.received).toEqual([]);
  });

  it("does not forward the body of a GET", async () => {
    const body = JSON.stringify({ event_id: client.theirs.ticketingId });
    const response = await client.proxy.raw(
      `${head(`event/get?id=${client.mine.id}`, "GET")}content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
    );
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    expect(client.upstream.received).toEqual([]);
  });

  it("does not forward a truncated body", async () => {
    const body = JSON.stringify({ event_id: client.mine.id, guests: [] });
    const response = await client.proxy.raw(
      `${head("event/add-guests")}content-length: ${body.length + 10}\r\n\r\n${body}`,
      {
        halfClose: true,
      },
    );
    expect(response).not.toMatch(/^HTTP\/1\.1 2/);
    expect(client.upstream.received).toEqual([]);
  });

  it("forwards none of the caller's headers", async () => {
    const reply = await client.proxy.call(`event/get?id=${client.mine.id}`, {
      key: client.key,
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
    const [sent] = client.upstream.received;
    expect(sent?.headers.map(([name]) => name).sort()).toEqual([
      "accept",
      "accept-encoding",
      "connection",
      "host",
      "user-agent",
      "x-luma-api-key",
    ]);
    expect(sent?.raw).not.toContain(client.key);
    expect(sent?.raw).not.toContain("evil");
  });
});
