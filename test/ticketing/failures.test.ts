import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { event, hasty, key, organization, proxy, read, upstream, write } from "./support/failing-stage.js";
import { eventually, platformKey, startProxy } from "./support/proxy.js";
import { httpAnswer, startRecorder } from "./support/recorder.js";

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

describe("secrets", () => {
  it("never are in a log or an error", async () => {
    upstream.behave((_request, socket) => {
      socket.end(`HTTP/1.1 200 OK\r\n${platformKey}\r\n\r\n`);
      return undefined;
    });
    const replies = [await read(), await write()];
    upstream.behave(() => httpAnswer(401, { message: `bad key ${platformKey}`, check_in_qr_code: "qr-credential" }));
    replies.push(await read());
    expect(replies.map(({ status }) => status)).toEqual([502, 502, 502]);
    expect(proxy.logged()).toContain("refuses the service's key");
    for (const text of [proxy.logged(), ...replies.map(({ text }) => text)]) {
      expect(text).not.toContain(platformKey);
      expect(text).not.toContain(key);
      expect(text).not.toContain("qr-credential");
    }
  });
});
