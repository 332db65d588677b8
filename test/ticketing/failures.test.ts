import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventually, type LinkedEvent, platformKey, type RunningProxy, startProxy } from "./support/proxy.js";
import { httpAnswer, type Recorder, startRecorder } from "./support/recorder.js";

let proxy: RunningProxy;
/** The same, but it waits for nobody. */
let hasty: RunningProxy;
let upstream: Recorder;
let organization: string;
let key: string;
let event: LinkedEvent;

const mebibyte = 1024 * 1024;
const connections = 5;
const patienceMs = 20_000;

beforeAll(async () => {
  upstream = await startRecorder();
  proxy = await startProxy(upstream.url, {
    tuning: { connections, answerTimeoutMs: patienceMs, idleTimeoutMs: patienceMs, transferTimeoutMs: patienceMs },
  });
  hasty = await startProxy(upstream.url, {
    tuning: { connections, answerTimeoutMs: 400, idleTimeoutMs: 1_000, transferTimeoutMs: 2_000 },
  });
  organization = await proxy.make.organization();
  key = await proxy.make.organizationKey(organization);
  event = await proxy.linkedEvent([organization]);
});

beforeEach(() => {
  upstream.received.length = 0;
  upstream.behave(() => httpAnswer(200, {}));
});

afterAll(async () => {
  await proxy.close();
  await hasty.close();
  await upstream.close();
});

const read = (path = "event/get?id=", through = proxy) => through.call(`${path}${event.id}`, { key });
const write = (through = proxy) =>
  through.call("event/add-guests", {
    key,
    method: "POST",
    body: { event_id: event.id, guests: [{ email: "a@example.com", check_in_qr_code: "qr-credential" }] },
  });

/** A read over a socket of its own, whose answer nobody takes unless the test does. */
function openCall(through = proxy): Socket {
  const socket = connect(Number(new URL(through.url).port), "127.0.0.1");
  socket.on("error", () => {});
  socket.write(
    `GET /api/ticketing/event/get?id=${event.id} HTTP/1.1\r\nhost: svc\r\nauthorization: Bearer ${key}\r\n\r\n`,
  );
  return socket;
}

/** Waits until a number has stopped growing. */
async function fallsSilent(value: () => number): Promise<void> {
  for (let last = -1; last !== value(); ) {
    last = value();
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

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

describe("an upstream that fails", () => {
  it("504 when it is silent", async () => {
    const silent: Socket[] = [];
    upstream.behave((_request, socket) => {
      silent.push(socket);
      return undefined;
    });
    for (const reply of [await read(undefined, hasty), await write(hasty)]) {
      expect(reply.status).toBe(504);
      expect(reply.json.error).toContain("did not answer");
    }
    expect(silent.length).toBe(2);
    await eventually(() => silent.every((socket) => socket.destroyed));
  });

  const half = (head: string) => (_request: unknown, socket: Socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n`);
    setTimeout(() => socket.destroy(), 50);
    return undefined;
  };

  it("502 for a small answer that stops half-way, and breaks off a large one", async () => {
    upstream.behave(half('content-length: 100\r\n\r\n{"half":'));
    expect((await read()).status).toBe(502);
    upstream.behave(half(`content-length: 100000\r\n\r\n{"half":`));
    await expect(read()).rejects.toThrow();
    upstream.behave(half('transfer-encoding: chunked\r\n\r\n8\r\n{"half":'));
    await expect(read()).rejects.toThrow();
    upstream.behave(() => httpAnswer(200, {}));
    expect((await read()).status).toBe(200);
  });

  it("does not wait for ever for the rest of an answer", async () => {
    upstream.behave(() => 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"half":');
    expect((await read(undefined, hasty)).status).toBe(502);
    upstream.behave(() => 'HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n{"half":');
    await expect(read(undefined, hasty)).rejects.toThrow();
  });

  it.each([
    "SSH-2.0-OpenSSH_9.6\r\n",
    "HTTP/1.1 two hundred\r\n\r\n",
    "HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n",
    "HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n",
    "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
    "\u0000\u0000\u0000",
  ])("502 for garbage: %j", async (garbage) => {
    upstream.behave(() => garbage);
    const reply = await read();
    expect(reply.status).toBe(502);
    expect(reply.json).toEqual({ error: expect.any(String) });
    upstream.behave(() => httpAnswer(200, {}));
    expect((await read()).status).toBe(200);
  });

  it("sends a read once more on a broken connection, and a write never", async () => {
    let times = 0;
    upstream.behave((_request, socket) => {
      times += 1;
      if (times > 1) return httpAnswer(200, { times });
      socket.destroy();
      return undefined;
    });
    expect((await read()).json).toEqual({ times: 2 });
    upstream.received.length = 0;
    upstream.behave((_request, socket) => {
      socket.destroy();
      return undefined;
    });
    expect((await read()).status).toBe(502);
    expect(upstream.received.length).toBe(2);
    upstream.received.length = 0;
    const reply = await write();
    expect(reply.status).toBe(502);
    expect(reply.json.error).toContain("look before you send it again");
    expect(upstream.received.length).toBe(1);
  });

  it("502 when it is not there", async () => {
    const gone = await startRecorder();
    await gone.close();
    const lonely = await startProxy(gone.url);
    try {
      const lonelyKey = await lonely.make.organizationKey(organization);
      for (const reply of [
        await lonely.call(`event/get?id=${event.id}`, { key: lonelyKey }),
        await lonely.call("event/coupons", { key: lonelyKey, method: "POST", body: { event_id: event.id } }),
      ]) {
        expect([reply.status, reply.json]).toEqual([502, { error: "The ticketing platform cannot be reached" }]);
      }
      expect(lonely.logged()).toContain("ECONNREFUSED");
      expect(lonely.logged()).not.toContain(platformKey);
    } finally {
      await lonely.close();
    }
  });
});

describe("connections", () => {
  it("are kept and used again", async () => {
    await Promise.all([read(), read(), read()]);
    const before = upstream.connections;
    for (let round = 0; round < 10; round += 1) await read();
    expect(upstream.connections).toBe(before);
  });

  it("are at most so many; beyond it 503 with Retry-After", async () => {
    const held: (() => void)[] = [];
    upstream.behave((_request, socket) => {
      held.push(() => socket.write(httpAnswer(200, {})));
      return undefined;
    });
    const waiting = Array.from({ length: connections }, () => read());
    await eventually(() => held.length === connections);
    const refused = await read();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    for (const release of held) release();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(waiting.map(() => 200));
    upstream.behave(() => httpAnswer(200, {}));
    expect((await read()).status).toBe(200);
  });

  it.each(["before the answer", "in the middle of the answer"])(
    "are freed when the caller hangs up %s",
    async (moment) => {
      const used: Socket[] = [];
      upstream.behave((_request, socket) => {
        used.push(socket);
        if (moment !== "before the answer") socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${mebibyte}\r\n\r\nsome`);
        return undefined;
      });
      const callers = Array.from({ length: connections }, () => openCall());
      await eventually(() => used.length === connections);
      for (const caller of callers) caller.destroy();
      await eventually(() => used.every((socket) => socket.destroyed), patienceMs / 2);
      upstream.behave(() => httpAnswer(200, {}));
      const replies = await Promise.all(callers.map(() => read()));
      expect(replies.map(({ status }) => status)).toEqual(callers.map(() => 200));
    },
  );

  it("are freed from callers who do not take their answer", async () => {
    const used: Socket[] = [];
    upstream.behave((_request, socket) => {
      used.push(socket);
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${31 * mebibyte}\r\n\r\n`);
      socket.write(Buffer.alloc(31 * mebibyte));
      return undefined;
    });
    const caller = openCall(hasty);
    caller.pause();
    await eventually(() => used.length === 1);
    await eventually(() => used.every((socket) => socket.destroyed));
    caller.destroy();
  });
});

describe("secrets", () => {
  it("never are in a log or an error", async () => {
    upstream.behave((_request, socket) => {
      socket.end(`HTTP/1.1 200 OK\r\n${platformKey}\r\n\r\n`);
      return undefined;
    });
    const replies = [await read(), await write()];
    expect(replies.map(({ status }) => status)).toEqual([502, 502]);
    expect(proxy.logged()).toContain("refuses the service's key");
    for (const text of [proxy.logged(), ...replies.map(({ text }) => text)]) {
      expect(text).not.toContain(platformKey);
      expect(text).not.toContain(key);
      expect(text).not.toContain("qr-credential");
    }
  });
});
