import { randomBytes } from "node:crypto";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { event, fallsSilent, key, mebibyte, openCall, proxy, read, upstream, write } from "./support/failing-stage.js";
import { eventually, platformKey } from "./support/proxy.js";
import { httpAnswer } from "./support/recorder.js";

describe("an upstream that answers", () => {
  it.each([200, 201, 400, 404, 409, 422, 500, 503])("%i comes back as it is", async (status) => {
    upstream.behave(() => httpAnswer(status, { message: "said by the platform" }));
    const reply = await read();
    expect([reply.status, reply.json]).toEqual([status, { message: "said by the platform" }]);
  });

  it("sends JSON or not", async () => {
    upstream.behave(() => httpAnswer(502, "<h1>Bad gateway</h1>", { "content-type": "text/html" }));
    const reply = await read();
    expect([reply.status, reply.text, reply.headers.get("content-type")]).toEqual([
      502,
      "<h1>Bad gateway</h1>",
      "text/html",
    ]);
    upstream.behave(() =>
      Buffer.concat([Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n"), Buffer.from([0, 255, 1])]),
    );
    expect((await read()).headers.get("content-type")).toBe("application/octet-stream");
    upstream.behave(() => "HTTP/1.1 204 No Content\r\n\r\n");
    expect((await read()).status).toBe(204);
  });

  it("may say something before its answer", async () => {
    const hints = "HTTP/1.1 103 Early Hints\r\nlink: </style.css>; rel=preload\r\n\r\n";
    upstream.behave(() => hints + hints + httpAnswer(201, { made: true }));
    const reply = await read();
    expect([reply.status, reply.json, reply.headers.get("link")]).toEqual([201, { made: true }, null]);
  });

  it("keeps hop-by-hop headers, cookies, limits and its key to itself", async () => {
    upstream.behave(() =>
      httpAnswer(
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
          "x-trace": "kept",
          link: "<https://example.com>; rel=next",
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
    ]) {
      expect([name, headers.get(name)]).toEqual([name, null]);
    }
    expect(headers.get("access-control-allow-origin")).toBeNull();
    expect(headers.get("x-echo")).toBeNull();
    expect(headers.get("x-ratelimit-limit")).toBe("1000000");
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect([headers.get("x-trace"), headers.get("link")]).toEqual(["kept", "<https://example.com>; rel=next"]);
  });

  it("is not followed when it redirects", async () => {
    upstream.behave(() => httpAnswer(302, {}, { location: `${upstream.url}/elsewhere` }));
    const reply = await read();
    expect([reply.status, reply.headers.get("location")]).toEqual([302, `${upstream.url}/elsewhere`]);
    expect(upstream.received.length).toBe(1);
  });

  it.each([401, 403])("a %i is about the service's key, so it is a 502", async (status) => {
    upstream.behave(() => httpAnswer(status, { message: `bad key ${platformKey}` }));
    for (const reply of [await read(), await write()]) {
      expect(reply.status).toBe(502);
      expect(reply.json).toEqual({ error: expect.stringContaining("refuses this service's access") });
    }
  });

  it("429 comes back with its Retry-After, also from the look at ticket types", async () => {
    upstream.behave(() => httpAnswer(429, { message: "Rate limit exceeded" }, { "retry-after": "60" }));
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
      expect([reply.status, reply.headers.get("retry-after"), reply.json]).toEqual([
        429,
        "60",
        { message: "Rate limit exceeded" },
      ]);
      expect(Number(reply.headers.get("x-ratelimit-remaining"))).toBeGreaterThan(0);
    }
    expect(upstream.received.every(({ path }) => !path.endsWith("/delete"))).toBe(true);
  });

  it("refuses to act on ticket types when their list cannot be read", async () => {
    for (const answer of [httpAnswer(200, "not json"), httpAnswer(200, { ticket_types: null }), httpAnswer(200, [])]) {
      upstream.received.length = 0;
      upstream.behave(() => answer);
      const body = { event_id: event.id, event_ticket_type_id: "ett-1" };
      const reply = await proxy.call("event/ticket-types", { key, method: "DELETE", body });
      expect(reply.status).toBe(502);
      expect(upstream.received.map(({ path }) => path)).toEqual(["/v1/event/ticket-types/list"]);
    }
  });
});

describe("bytes", () => {
  const payload = Buffer.from(JSON.stringify({ text: "é".repeat(5_000), key: "none" }));

  it.each([
    ["gzip", gzipSync(payload)],
    ["br", brotliCompressSync(payload)],
    ["deflate", deflateSync(payload)],
  ])("opens %s that nobody asked for", async (encoding, bytes) => {
    upstream.behave(() => httpAnswer(200, bytes, { "content-encoding": encoding }));
    const reply = await read();
    expect(reply.headers.get("content-encoding")).toBeNull();
    expect(reply.text).toBe(payload.toString());
  });

  it("refuses an encoding that it cannot open", async () => {
    upstream.behave(() => httpAnswer(200, payload, { "content-encoding": "zstd" }));
    expect((await read()).status).toBe(502);
  });

  it("502 for garbage in an encoding, and for an answer that ends before it begins", async () => {
    const link = "<https://example.com>";
    upstream.behave(() => httpAnswer(200, Buffer.from("this is not gzip"), { "content-encoding": "gzip", link }));
    expect(await read()).toMatchObject({ status: 502, json: { error: expect.stringContaining("garbled") } });
    upstream.behave((_request, socket) => {
      socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n");
      return undefined;
    });
    expect(await read()).toMatchObject({
      status: 502,
      json: { error: expect.stringContaining("broke its answer off") },
    });
  });

  it("hands 10 MiB on as they are", async () => {
    const large = randomBytes(10 * mebibyte);
    upstream.behave(() => httpAnswer(200, large, { "content-type": "application/octet-stream" }));
    const response = await fetch(`${proxy.url}/api/ticketing/event/get?id=${event.id}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(large)).toBe(true);
  });

  it("does not hold what the caller has not taken yet", async () => {
    const pieces = 31 * 16;
    const piece = Buffer.alloc(mebibyte / 16, "x");
    let sent = 0;
    upstream.behave((_request, socket) => {
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
    await eventually(() => sent > 16);
    await fallsSilent(() => sent);
    expect(sent).toBeLessThan(pieces);
    let size = 0;
    socket.on("data", (bytes) => {
      size += bytes.length;
    });
    socket.resume();
    await eventually(() => size > pieces * piece.length);
    socket.destroy();
  });

  it("refuses more than 32 MiB when it is announced, and breaks off when it is not", async () => {
    upstream.behave((_request, socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${33 * mebibyte}\r\n\r\n`);
      return undefined;
    });
    expect((await read()).status).toBe(502);
    upstream.behave((_request, socket) => {
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
      const push = () => {
        while (socket.writable && socket.write(`100000\r\n${"x".repeat(mebibyte)}\r\n`));
        if (socket.writable) socket.once("drain", push);
      };
      push();
      return undefined;
    });
    await expect(read()).rejects.toThrow();
    const bomb = gzipSync(Buffer.alloc(40 * mebibyte));
    upstream.behave(() => httpAnswer(200, bomb, { "content-encoding": "gzip" }));
    await expect(read()).rejects.toThrow();
  });

  it.each(["with its length", "in chunks"])("masks the platform's key, should it be sent back, %s", async (how) => {
    const before = `{"echo":"${platformKey.slice(0, 9)}`;
    const after = `${platformKey.slice(9)}","again":"${platformKey}","like":"${platformKey.slice(0, 12)}"}`;
    const chunk = (text: string) => (how === "in chunks" ? `${text.length.toString(16)}\r\n${text}\r\n` : text);
    const length =
      how === "in chunks" ? "transfer-encoding: chunked" : `content-length: ${before.length + after.length}`;
    upstream.behave((_request, socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${length}\r\n\r\n${chunk(before)}`);
      setTimeout(() => socket.write(chunk(after) + (how === "in chunks" ? "0\r\n\r\n" : "")), 50);
      return undefined;
    });
    const stars = "*".repeat(platformKey.length);
    expect(JSON.parse((await read()).text)).toEqual({ echo: stars, again: stars, like: platformKey.slice(0, 12) });
  });
});
