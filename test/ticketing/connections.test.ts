import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { eventually } from "./support/proxy.js";
import { httpResponse } from "./support/recording-upstream.js";
import {
  connections,
  longTimeoutMs,
  mebibyte,
  openCall,
  read,
  shortTimeoutProxy,
  upstream,
} from "./support/upstream-setup.js";

describe("connections to the platform", () => {
  it("are kept alive and reused", async () => {
    await Promise.all([read(), read(), read()]);
    const before = upstream.connections;
    for (let round = 0; round < 10; round += 1) await read();
    expect(upstream.connections).toBe(before);
  });

  it("are limited; requests beyond the limit get 503 with Retry-After", async () => {
    const held: (() => void)[] = [];
    upstream.respondWith((_request, socket) => {
      held.push(() => socket.write(httpResponse(200, {})));
      return undefined;
    });
    const waiting = Array.from({ length: connections }, () => read());
    await eventually(() => held.length === connections);
    const refused = await read();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    for (const release of held) release();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(waiting.map(() => 200));
    upstream.respondWith(() => httpResponse(200, {}));
    expect((await read()).status).toBe(200);
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
      await eventually(() => used.length === connections);
      for (const caller of callers) caller.destroy();
      await eventually(() => used.every((socket) => socket.destroyed), longTimeoutMs / 2);
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
    await eventually(() => used.length === 1);
    await eventually(() => used.every((socket) => socket.destroyed));
    caller.destroy();
  });
});
