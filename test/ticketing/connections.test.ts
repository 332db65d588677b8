import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { connections, hasty, mebibyte, openCall, patienceMs, read, upstream } from "./support/failing-stage.js";
import { eventually } from "./support/proxy.js";
import { httpAnswer } from "./support/recorder.js";

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
