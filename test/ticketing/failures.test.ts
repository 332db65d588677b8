import type { Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorBody } from "../support/error-body.js";
import { until } from "../support/until.js";
import { platformKey, type RunningProxy, startProxy } from "./support/proxy.js";
import { httpResponse, startRecordingUpstream } from "./support/recording-upstream.js";
import {
  connections,
  download,
  event,
  key,
  longTimeoutMs,
  mebibyte,
  openCall,
  organization,
  proxy,
  read,
  shortTimeoutProxy,
  upstream,
  useUpstream,
  write,
} from "./support/upstream-setup.js";

useUpstream();

describe("a failing platform", () => {
  it("returns 504 if the platform does not respond", async () => {
    // The first request loads the HTTP client, which may take longer than the short timeout.
    await until(async () => (await read(undefined, shortTimeoutProxy)).status === 200);
    const silent: Socket[] = [];
    upstream.respondWith((_request, socket) => {
      silent.push(socket);
      return undefined;
    });
    for (const reply of [await read(undefined, shortTimeoutProxy), await write(shortTimeoutProxy)]) {
      expect(reply.status).toBe(504);
      expect(reply.json.error).toContain("did not respond");
    }
    expect(silent.length).toBe(2);
    await until(() => silent.every((socket) => socket.destroyed));
  });

  const truncated = (head: string) => (_request: unknown, socket: Socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n`);
    setTimeout(() => socket.destroy(), 50);
    return undefined;
  };

  it("returns 502 for a truncated small response, and closes the connection for a large one", async () => {
    upstream.respondWith(truncated('content-length: 100\r\n\r\n{"half":'));
    expect((await read()).status).toBe(502);
    const half = `{"half":"${"x".repeat(400)}`;
    upstream.respondWith(truncated(`content-length: 100000\r\n\r\n${half}`));
    expect(await download()).toMatchObject({ status: 200, complete: false });
    upstream.respondWith(truncated(`transfer-encoding: chunked\r\n\r\n${half.length.toString(16)}\r\n${half}`));
    expect(await download()).toMatchObject({ status: 200, complete: false });
    upstream.respondWith(() => httpResponse(200, {}));
    expect((await read()).status).toBe(200);
  });

  it("limits how long it waits for the rest of a response", async () => {
    upstream.respondWith(() => 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"half":');
    expect((await read(undefined, shortTimeoutProxy)).status).toBe(504);
    const half = `{"half":"${"x".repeat(400)}`;
    upstream.respondWith(() => `HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n${half}`);
    expect(await download(shortTimeoutProxy)).toMatchObject({ status: 200, complete: false });
  });

  it.each([
    "SSH-2.0-OpenSSH_9.6\r\n",
    "HTTP/1.1 two hundred\r\n\r\n",
    "HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n",
    "HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n",
    "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
    "\u0000\u0000\u0000",
  ])("returns 502 for an invalid response: %j", async (garbage) => {
    upstream.respondWith(() => garbage);
    const reply = await read();
    expect(reply.status).toBe(502);
    expect(reply.json).toEqual(errorBody("bad_gateway"));
    upstream.respondWith(() => httpResponse(200, {}));
    expect((await read()).status).toBe(200);
  });

  it("retries a read once on a broken connection, but never a write", async () => {
    let attempts = 0;
    upstream.respondWith((_request, socket) => {
      attempts += 1;
      if (attempts > 1) return httpResponse(200, { attempts });
      socket.destroy();
      return undefined;
    });
    expect((await read()).json).toEqual({ attempts: 2 });
    upstream.received.length = 0;
    upstream.respondWith((_request, socket) => {
      socket.destroy();
      return undefined;
    });
    expect((await read()).status).toBe(502);
    expect(upstream.received.length).toBe(2);
    upstream.received.length = 0;
    const reply = await write();
    expect(reply.status).toBe(502);
    expect(reply.json.error).toContain("check before you retry");
    expect(upstream.received.length).toBe(1);
  });

  it("returns 502 if the platform is unreachable", async () => {
    const stopped = await startRecordingUpstream();
    await stopped.close();
    const unreachable = await startProxy(stopped.url);
    try {
      const unreachableKey = await unreachable.make.organizationKey(organization);
      for (const reply of [
        await unreachable.call(`event/get?id=${event.id}`, { key: unreachableKey }),
        await unreachable.call("event/coupons", { key: unreachableKey, method: "POST", body: { event_id: event.id } }),
      ]) {
        expect([reply.status, reply.json]).toEqual([
          502,
          errorBody("bad_gateway", "The ticketing platform cannot be reached"),
        ]);
      }
      expect(unreachable.logged()).toContain("ECONNREFUSED");
      expect(unreachable.logged()).not.toContain(platformKey);
    } finally {
      await unreachable.close();
    }
  });
});

describe("connections to the platform", () => {
  let single: RunningProxy;
  beforeAll(async () => {
    single = await startProxy(upstream.url, {
      tuning: { connections, responseTimeoutMs: longTimeoutMs, slotWaitMs: 100 },
      oneProcess: "each process has its own connections to the platform, and its own limit of them",
    });
  });
  afterAll(() => single.close());
  const readAlone = () => read(undefined, single);

  it("are kept alive and reused", async () => {
    await Promise.all([readAlone(), readAlone(), readAlone()]);
    const before = upstream.connections;
    for (let round = 0; round < 10; round += 1) await readAlone();
    expect(upstream.connections).toBe(before);
  });

  it("are limited; requests beyond the limit get 503 with Retry-After", async () => {
    const held: (() => void)[] = [];
    upstream.respondWith((_request, socket) => {
      held.push(() => socket.write(httpResponse(200, {})));
      return undefined;
    });
    const waiting = Array.from({ length: connections }, readAlone);
    await until(() => held.length === connections);
    const refused = await readAlone();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    for (const release of held) release();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(waiting.map(() => 200));
    upstream.respondWith(() => httpResponse(200, {}));
    expect((await readAlone()).status).toBe(200);
  });

  it.each(["before the response", "during the response"])(
    "are released when the caller disconnects %s",
    async (moment) => {
      const used: Socket[] = [];
      upstream.respondWith((_request, socket) => {
        used.push(socket);
        if (moment !== "before the response")
          socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${mebibyte}\r\n\r\nsome`);
        return undefined;
      });
      const callers = Array.from({ length: connections }, () => openCall());
      await until(() => used.length === connections);
      for (const caller of callers) caller.destroy();
      await until(() => used.every((socket) => socket.destroyed), longTimeoutMs / 2);
      upstream.respondWith(() => httpResponse(200, {}));
      const replies = await Promise.all(callers.map(() => read()));
      expect(replies.map(({ status }) => status)).toEqual(callers.map(() => 200));
    },
  );

  it("are released if the caller does not read the response", async () => {
    const used: Socket[] = [];
    upstream.respondWith((_request, socket) => {
      used.push(socket);
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${31 * mebibyte}\r\n\r\n`);
      socket.write(Buffer.alloc(31 * mebibyte));
      return undefined;
    });
    const caller = openCall(shortTimeoutProxy);
    caller.pause();
    await until(() => used.length === 1);
    await until(() => used.every((socket) => socket.destroyed));
    caller.destroy();
  });
});

describe("a failing database", () => {
  let failing: RunningProxy;
  let failures: number;
  const slots = 2;

  beforeAll(async () => {
    failing = await startProxy(upstream.url, {
      tuning: { connections: slots },
      beforeQuery(text) {
        if (failures === 0 || !text.includes("insert into mutation_records")) return;
        failures -= 1;
        throw new Error("connection lost");
      },
    });
  });

  afterAll(() => failing.close());

  it("prevents writes that cannot be recorded, without leaking their slots", async () => {
    failures = slots + 1;
    for (let attempt = 0; attempt < slots + 1; attempt += 1) expect((await write(failing)).status).toBe(500);
    expect(upstream.received).toEqual([]);
    expect((await write(failing)).status).toBe(200);
    expect(upstream.received.map(({ path }) => path)).toEqual(["/v1/event/add-guests"]);
  });

  it("does not withhold the response to a write whose outcome cannot be recorded", async () => {
    upstream.respondWith(() => {
      failures = 1;
      return httpResponse(201, { created: true });
    });
    for (let attempt = 0; attempt < slots + 1; attempt += 1) {
      const reply = await write(failing);
      expect([reply.status, reply.json, failures]).toEqual([201, { created: true }, 0]);
    }
    expect(failing.logged().match(/could not record the outcome of a ticketing write/g)).toHaveLength(slots + 1);
  });
});

describe("secrets", () => {
  it("appear in no log line and no error", async () => {
    upstream.respondWith((_request, socket) => {
      socket.end(`HTTP/1.1 200 OK\r\n${platformKey}\r\n\r\n`);
      return undefined;
    });
    const replies = [await read(), await write()];
    upstream.respondWith(() =>
      httpResponse(401, { message: `bad key ${platformKey}`, check_in_qr_code: "qr-credential" }),
    );
    replies.push(await read());
    expect(replies.map(({ status }) => status)).toEqual([502, 502, 502]);
    expect(proxy.logged()).toContain("rejected the service's key");
    for (const text of [proxy.logged(), ...replies.map(({ text }) => text)]) {
      expect(text).not.toContain(platformKey);
      expect(text).not.toContain(key);
      expect(text).not.toContain("qr-credential");
    }
  });
});
