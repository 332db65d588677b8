import fc from "fast-check";
import { expect, test } from "vitest";
import {
  copyFailMessage,
  createFrontendParser,
  fatalErrorMessage,
  parseBatchResponse,
  queryMessage,
  startupMessage,
  startupResponse,
  syncMessage,
} from "../../src/infra/embedded-db/wire-protocol.js";

const limits = { maxMessageBytes: 64 * 1024 * 1024 };

test("parses the same messages however they are split into chunks", () => {
  const bytes = Buffer.concat([
    startupMessage({ user: "a", database: "b" }),
    queryMessage("SELECT 1"),
    copyFailMessage("no"),
    syncMessage,
  ]);
  const whole = createFrontendParser(limits).push(bytes);
  expect(whole.map((message) => (message.kind === "message" ? message.type : message.kind))).toEqual([
    "startup",
    "Q",
    "f",
    "S",
  ]);
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
      const parser = createFrontendParser(limits);
      const edges = [0, ...cuts.sort((a, b) => a - b), bytes.length];
      const messages = edges.slice(1).flatMap((end, index) => parser.push(bytes.subarray(edges[index], end)));
      expect(messages).toEqual(whole);
    }),
  );
});

test("joins a large message from many small chunks in linear time", () => {
  const parser = createFrontendParser(limits);
  parser.push(startupMessage({ user: "a" }));
  const bytes = queryMessage("x".repeat(32 * 1024 * 1024));
  const messages = [];
  for (let start = 0; start < bytes.length; start += 4096) {
    messages.push(...parser.push(bytes.subarray(start, start + 4096)));
  }
  expect(messages).toHaveLength(1);
  expect(messages[0]).toMatchObject({ kind: "message", type: "Q" });
});

test("recognizes encryption and cancel requests before the startup message", () => {
  const request = (code: number) => {
    const bytes = Buffer.alloc(code === 80877102 ? 16 : 8);
    bytes.writeInt32BE(bytes.length, 0);
    bytes.writeInt32BE(code, 4);
    return bytes;
  };
  const parser = createFrontendParser(limits);
  const messages = parser.push(
    Buffer.concat([request(80877104), request(80877103), startupMessage({ user: "é", application_name: "x" })]),
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
  expect(createFrontendParser(limits).push(request(80877102))).toEqual([{ kind: "cancel_request" }]);
});

test("rejects invalid message lengths and types", () => {
  expect(() => createFrontendParser(limits).push(Buffer.from("GET / HTTP/1.1\r\n"))).toThrow("message length");
  const started = createFrontendParser({ maxMessageBytes: 100 });
  started.push(startupMessage({ user: "a" }));
  expect(() => started.push(queryMessage("x".repeat(100)))).toThrow("message length");
  const unknown = createFrontendParser(limits);
  unknown.push(startupMessage({ user: "a" }));
  expect(() => unknown.push(Buffer.from("z\0\0\0\x04", "latin1"))).toThrow("message type");
});

test("separates notifications from the reply and removes CopyInResponse", () => {
  const notification = Buffer.from("A\0\0\0\x0b\0\0\0\x01ab\0", "latin1");
  const copyIn = Buffer.from("G\0\0\0\x07\0\0\0", "latin1");
  const error = fatalErrorMessage("XX000", "no");
  const ready = Buffer.from("Z\0\0\0\x05E", "latin1");
  const response = parseBatchResponse(Buffer.concat([notification, copyIn, error, notification, ready]));
  expect(response.reply).toEqual(Buffer.concat([error, ready]));
  expect(response.notifications).toEqual(Buffer.concat([notification, notification]));
  expect(response.status).toBe("failed");
  expect(parseBatchResponse(error)).toMatchObject({ reply: error, status: undefined });
});

test("negotiates down the protocol version of a newer client", () => {
  const session = { settings: { TimeZone: "UTC" }, processId: 7 };
  const parameters = new Map([["_pq_.option", "1"]]);
  expect(startupResponse({ kind: "startup", minorVersion: 0, parameters: new Map() }, session)[0]).toBe(0x52);
  const negotiated = startupResponse({ kind: "startup", minorVersion: 2, parameters }, session);
  expect(negotiated.toString("latin1", 0, 1)).toBe("v");
  expect(negotiated.includes("_pq_.option\0")).toBe(true);
});
