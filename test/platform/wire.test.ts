import fc from "fast-check";
import { expect, test } from "vitest";
import {
  copyFail,
  createFrontendSplitter,
  fatalError,
  query,
  readAnswer,
  startupAnswer,
  startupPacket,
  sync,
} from "../../src/platform/embedded-db/wire.js";

const limits = { maxMessageBytes: 64 * 1024 * 1024 };

test("splits messages the same way wherever the chunks are cut", () => {
  const bytes = Buffer.concat([startupPacket({ user: "a", database: "b" }), query("SELECT 1"), copyFail("no"), sync]);
  const whole = createFrontendSplitter(limits).push(bytes);
  expect(whole.map((message) => (message.kind === "message" ? message.type : message.kind))).toEqual([
    "startup",
    "Q",
    "f",
    "S",
  ]);
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
      const splitter = createFrontendSplitter(limits);
      const edges = [0, ...cuts.sort((a, b) => a - b), bytes.length];
      const messages = edges.slice(1).flatMap((end, index) => splitter.push(bytes.subarray(edges[index], end)));
      expect(messages).toEqual(whole);
    }),
  );
});

test("joins a large message of many small chunks in linear time", () => {
  const splitter = createFrontendSplitter(limits);
  splitter.push(startupPacket({ user: "a" }));
  const bytes = query("x".repeat(32 * 1024 * 1024));
  const messages = [];
  for (let start = 0; start < bytes.length; start += 4096) {
    messages.push(...splitter.push(bytes.subarray(start, start + 4096)));
  }
  expect(messages).toHaveLength(1);
  expect(messages[0]).toMatchObject({ kind: "message", type: "Q" });
});

test("knows requests for encryption and cancelling, which may come before the startup", () => {
  const request = (code: number) => {
    const bytes = Buffer.alloc(code === 80877102 ? 16 : 8);
    bytes.writeInt32BE(bytes.length, 0);
    bytes.writeInt32BE(code, 4);
    return bytes;
  };
  const splitter = createFrontendSplitter(limits);
  const messages = splitter.push(
    Buffer.concat([request(80877104), request(80877103), startupPacket({ user: "é", application_name: "x" })]),
  );
  expect(messages).toEqual([
    { kind: "encryption_request" },
    { kind: "encryption_request" },
    {
      kind: "startup",
      minorVersion: 0,
      parameters: new Map([
        ["user", "é"],
        ["application_name", "x"],
      ]),
    },
  ]);
  expect(createFrontendSplitter(limits).push(request(80877102))).toEqual([{ kind: "cancel_request" }]);
});

test("refuses what is no message", () => {
  expect(() => createFrontendSplitter(limits).push(Buffer.from("GET / HTTP/1.1\r\n"))).toThrow("message length");
  const started = createFrontendSplitter({ maxMessageBytes: 100 });
  started.push(startupPacket({ user: "a" }));
  expect(() => started.push(query("x".repeat(100)))).toThrow("message length");
  const unknown = createFrontendSplitter(limits);
  unknown.push(startupPacket({ user: "a" }));
  expect(() => unknown.push(Buffer.from("z\0\0\0\x04", "latin1"))).toThrow("message type");
});

test("takes notifications and the invitation to copy out of an answer", () => {
  const notification = Buffer.from("A\0\0\0\x0b\0\0\0\x01ab\0", "latin1");
  const copyIn = Buffer.from("G\0\0\0\x07\0\0\0", "latin1");
  const error = fatalError("XX000", "no");
  const ready = Buffer.from("Z\0\0\0\x05E", "latin1");
  const answer = readAnswer(Buffer.concat([notification, copyIn, error, notification, ready]));
  expect(answer.reply).toEqual(Buffer.concat([error, ready]));
  expect(answer.notifications).toEqual(Buffer.concat([notification, notification]));
  expect(answer.status).toBe("failed");
  expect(readAnswer(error)).toMatchObject({ reply: error, status: undefined });
});

test("tells a client of a newer protocol what it can speak", () => {
  const session = { settings: { TimeZone: "UTC" }, processId: 7 };
  const parameters = new Map([["_pq_.wish", "1"]]);
  expect(startupAnswer({ kind: "startup", minorVersion: 0, parameters: new Map() }, session)[0]).toBe(0x52);
  const negotiated = startupAnswer({ kind: "startup", minorVersion: 2, parameters }, session);
  expect(negotiated.toString("latin1", 0, 1)).toBe("v");
  expect(negotiated.includes("_pq_.wish\0")).toBe(true);
});
