import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { errorBody } from "../support/error-body.js";
import { until } from "../support/until.js";
import { platformKey } from "./support/proxy.js";
import { httpResponse } from "./support/recording-upstream.js";
import {
  download,
  event,
  key,
  mebibyte,
  openCall,
  proxy,
  read,
  untilStable,
  upstream,
  useUpstream,
  write,
} from "./support/upstream-setup.js";

useUpstream();

describe("the platform's response", () => {
  it.each([200, 201, 400, 404, 409, 422, 500, 503])("is relayed unchanged with status %i", async (status) => {
    upstream.respondWith(() => httpResponse(status, { message: "from the platform" }));
    const reply = await read();
    expect([reply.status, reply.json]).toEqual([status, { message: "from the platform" }]);
  });

  it("may be text, binary or empty", async () => {
    upstream.respondWith(() => httpResponse(502, "<h1>Bad gateway</h1>", { "content-type": "text/html" }));
    const reply = await read();
    expect([reply.status, reply.text, reply.headers.get("content-type")]).toEqual([
      502,
      "<h1>Bad gateway</h1>",
      "text/plain",
    ]);
    upstream.respondWith(() =>
      Buffer.concat([Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n"), Buffer.from([0, 255, 1])]),
    );
    expect((await read()).headers.get("content-type")).toBe("application/octet-stream");
    upstream.respondWith(() => "HTTP/1.1 204 No Content\r\n\r\n");
    expect((await read()).status).toBe(204);
  });

  it("may follow 1xx responses, which are not relayed", async () => {
    const hints = "HTTP/1.1 103 Early Hints\r\nlink: </style.css>; rel=preload\r\n\r\n";
    upstream.respondWith(() => hints + hints + httpResponse(201, { created: true }));
    const reply = await read();
    expect([reply.status, reply.json, reply.headers.get("link")]).toEqual([201, { created: true }, null]);
  });

  it("is relayed without hop-by-hop headers, cookies, rate limits and the platform's key", async () => {
    upstream.respondWith(() =>
      httpResponse(
        200,
        {},
        {
          connection: "keep-alive, x-hop",
          "keep-alive": "timeout=5",
          "x-hop": "1",
          "set-cookie": "session=abc",
          "x-ratelimit-limit": "200",
          "ratelimit-policy": "200;w=60",
          "x-rate-limit-remaining": "7",
          server: "cloudflare",
          "cache-control": "public, max-age=600",
          "access-control-allow-origin": "*",
          "clear-site-data": "*",
          "x-echo": `key ${platformKey}`,
          "x-trace": "relayed",
          link: "</worker.js>; rel=preload",
          refresh: "0; url=https://elsewhere.example.com",
          "service-worker-allowed": "/",
        },
      ),
    );
    const { headers } = await read();
    for (const name of [
      "x-hop",
      "set-cookie",
      "ratelimit-policy",
      "x-rate-limit-remaining",
      "server",
      "clear-site-data",
      "link",
      "refresh",
      "service-worker-allowed",
    ]) {
      expect([name, headers.get(name)]).toEqual([name, null]);
    }
    expect(headers.get("access-control-allow-origin")).toBeNull();
    expect(headers.get("x-echo")).toBeNull();
    expect(headers.get("x-ratelimit-limit")).toBe("1000000");
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect(headers.get("x-trace")).toBe("relayed");
  });

  it("is relayed if it is a redirect, which is not followed", async () => {
    upstream.respondWith(() => httpResponse(302, {}, { location: `${upstream.url}/elsewhere` }));
    const reply = await read();
    expect([reply.status, reply.headers.get("location")]).toEqual([302, `${upstream.url}/elsewhere`]);
    expect(upstream.received.length).toBe(1);
  });

  it.each([401, 403])("becomes a 502 if it is a %i, which concerns the service's key", async (status) => {
    upstream.respondWith(() => httpResponse(status, { message: `bad key ${platformKey}` }));
    for (const reply of [await read(), await write()]) {
      expect(reply.status).toBe(502);
      expect(reply.json).toEqual(errorBody("bad_gateway", expect.stringContaining("rejected this service's key")));
    }
  });

  it.each([
    ["30", "30"],
    [undefined, "60"],
    ["soon", "60"],
    ["0", "60"],
    ["100000", "60"],
  ])("becomes a 503 if it is a 429, which concerns the service's key: Retry-After %s", async (given, expected) => {
    const headers = given === undefined ? {} : { "retry-after": given };
    upstream.respondWith(() => httpResponse(429, { message: "Rate limit exceeded" }, headers));
    const replies = [
      await read(),
      await read("event/ticket-types/get?event_ticket_type_id=ett-1&event_id="),
      await proxy.call("event/ticket-types", {
        key,
        method: "DELETE",
        body: { event_id: event.id, event_ticket_type_id: "ett-1" },
      }),
    ];
    for (const reply of replies) {
      expect([reply.status, reply.headers.get("retry-after")]).toEqual([503, expected]);
      expect(reply.json).toEqual(
        errorBody("unavailable", expect.stringMatching(/^The ticketing platform accepts no more/)),
      );
      expect(Number(reply.headers.get("x-ratelimit-remaining"))).toBeGreaterThan(0);
    }
    expect(upstream.received.every(({ path }) => !path.endsWith("/delete"))).toBe(true);
  });
});

describe("the list of ticket types", () => {
  const listOf = (sizeBytes: number) =>
    Buffer.from(JSON.stringify({ ticket_types: [{ id: "ett-1", description: "x".repeat(sizeBytes) }] }));
  const respondWithList = (list: Buffer, headers = {}) =>
    upstream.respondWith(({ path }) =>
      path.endsWith("/list") ? httpResponse(200, list, headers) : httpResponse(200, {}),
    );
  const deleteTicketType = () =>
    proxy.call("event/ticket-types", {
      key,
      method: "DELETE",
      body: { event_id: event.id, event_ticket_type_id: "ett-1" },
    });

  it.each([
    ["plain", listOf(4 * mebibyte), {}],
    ["compressed", gzipSync(listOf(4 * mebibyte)), { "content-encoding": "gzip" }],
  ])("may not exceed 4 MiB, %s", async (_how, list, headers) => {
    respondWithList(list, headers);
    expect(await deleteTicketType()).toMatchObject({
      status: 502,
      json: { error: expect.stringContaining("unreadable response") },
    });
    expect(upstream.received.map(({ path }) => path)).toEqual(["/v1/event/ticket-types/list"]);
  });

  it("may be close to 4 MiB", async () => {
    respondWithList(listOf(4 * mebibyte - 1024));
    expect((await deleteTicketType()).status).toBe(200);
    expect(upstream.received.at(-1)?.path).toBe("/v1/event/ticket-types/delete");
  });
});

describe("response bodies", () => {
  it("get a 502 if their encoding is not supported", async () => {
    upstream.respondWith(() => httpResponse(200, "{}", { "content-encoding": "zstd" }));
    expect((await read()).status).toBe(502);
  });

  it("get a 502 if they are corrupt or end before the first byte", async () => {
    const link = "<https://example.com>";
    upstream.respondWith(() =>
      httpResponse(200, Buffer.from("this is not gzip"), { "content-encoding": "gzip", link }),
    );
    expect(await read()).toMatchObject({
      status: 502,
      json: { error: expect.stringContaining("incomplete or corrupt response") },
    });
    upstream.respondWith((_request, socket) => {
      socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n");
      return undefined;
    });
    expect(await read()).toMatchObject({
      status: 502,
      json: { error: expect.stringContaining("incomplete or corrupt response") },
    });
  });

  it("are relayed unchanged at 10 MiB", async () => {
    const large = randomBytes(10 * mebibyte);
    upstream.respondWith(() => httpResponse(200, large, { "content-type": "application/octet-stream" }));
    const response = await fetch(`${proxy.url}/api/ticketing/event/get?id=${event.id}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(large)).toBe(true);
  });

  it("are not buffered beyond what the caller reads", async () => {
    const pieces = 31 * 16;
    const piece = Buffer.alloc(mebibyte / 16, "x");
    let sent = 0;
    upstream.respondWith((_request, socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${pieces * piece.length}\r\n\r\n`);
      const push = () => {
        while (sent < pieces) {
          sent += 1;
          if (!socket.write(piece)) {
            socket.once("drain", push);
            return;
          }
        }
      };
      push();
      return undefined;
    });
    const socket = openCall();
    socket.pause();
    await until(() => sent > 16);
    await untilStable(() => sent);
    expect(sent).toBeLessThan(pieces);
    let size = 0;
    socket.on("data", (bytes) => {
      size += bytes.length;
    });
    socket.resume();
    await until(() => size > pieces * piece.length);
    socket.destroy();
  });

  it("get a 502 if their announced length exceeds 32 MiB", async () => {
    upstream.respondWith((_request, socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${33 * mebibyte}\r\n\r\n`);
      return undefined;
    });
    expect((await read()).status).toBe(502);
  });

  const chunk = Buffer.concat([Buffer.from("100000\r\n"), Buffer.alloc(mebibyte, "x"), Buffer.from("\r\n")]);
  const endlessChunks = (_request: unknown, socket: Socket) => {
    socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
    const push = () => {
      while (socket.writable && socket.write(chunk));
      if (socket.writable) socket.once("drain", push);
    };
    push();
    return undefined;
  };
  const bomb = gzipSync(Buffer.alloc(40 * mebibyte));

  it.each([
    ["in chunks", endlessChunks],
    ["decoded from gzip", () => httpResponse(200, bomb, { "content-encoding": "gzip" })],
  ])("are cut off at 32 MiB when sent %s", async (_how, behavior) => {
    upstream.respondWith(behavior);
    const { status, bytes, complete } = await download();
    expect([status, complete]).toEqual([200, false]);
    expect(bytes).toBeLessThanOrEqual(32 * mebibyte);
  });

  it.each(["with a length", "in chunks"])("have the platform's key masked when sent %s", async (how) => {
    const before = `{"echo":"${platformKey.slice(0, 9)}`;
    const after = `${platformKey.slice(9)}","again":"${platformKey}","like":"${platformKey.slice(0, 12)}"}`;
    const chunk = (text: string) => (how === "in chunks" ? `${text.length.toString(16)}\r\n${text}\r\n` : text);
    const length =
      how === "in chunks" ? "transfer-encoding: chunked" : `content-length: ${before.length + after.length}`;
    upstream.respondWith((_request, socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${length}\r\n\r\n${chunk(before)}`);
      setTimeout(() => socket.write(chunk(after) + (how === "in chunks" ? "0\r\n\r\n" : "")), 50);
      return undefined;
    });
    const stars = "*".repeat(platformKey.length);
    expect(JSON.parse((await read()).text)).toEqual({ echo: stars, again: stars, like: platformKey.slice(0, 12) });
  });

  it.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
    ["deflate", deflateSync],
  ])(
    "are decoded from %s, although the proxy did not request it, and have the platform's key masked",
    async (encoding, compress) => {
      const body = { padding: "é".repeat(50_000), key: platformKey };
      const bytes = compress(JSON.stringify(body));
      upstream.respondWith(() => httpResponse(200, bytes, { "content-encoding": encoding }));
      const { json, headers } = await read();
      expect(json).toEqual({ ...body, key: "*".repeat(platformKey.length) });
      expect(headers.get("content-encoding")).toBeNull();
    },
  );
});
