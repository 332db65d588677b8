/** Encodes and decodes messages of the PostgreSQL wire protocol, version 3. */

export type FrontendMessage =
  | { kind: "startup"; minorVersion: number; parameters: Map<string, string> }
  | { kind: "encryption_request" }
  | { kind: "cancel_request" }
  /** `bytes` is the whole message, including its type and length. */
  | { kind: "message"; type: FrontendType; bytes: Buffer };

export type FrontendType = keyof typeof frontendTypes;

/** `push` returns the messages that the chunk completes. It throws on invalid input; the connection must then be closed. */
export type FrontendParser = { push(chunk: Buffer): FrontendMessage[] };

/** The application_name of a connection that asks who owns the directory. The response is a LockOwner as JSON, or null. */
export const ownerProbeName = "svc-owner-probe";

/** The application_name of a connection that runs no queries and only keeps the database open. */
export const holdOpenName = "svc-hold-open";

const frontendTypes = {
  B: "Bind",
  C: "Close",
  D: "Describe",
  E: "Execute",
  F: "FunctionCall",
  H: "Flush",
  P: "Parse",
  Q: "Query",
  S: "Sync",
  X: "Terminate",
  c: "CopyDone",
  d: "CopyData",
  f: "CopyFail",
} as const;

const encryptionCodes = new Set([80877103, 80877104]);
const cancelCode = 80877102;

/** Chunks are joined once per message, when its last byte has arrived, so that a large message takes linear time. */
export function createFrontendParser(options: { maxMessageBytes: number }): FrontendParser {
  let chunks: Buffer[] = [];
  let availableBytes = 0;
  let neededBytes = 0;
  let started = false;

  function takeMessage(data: Buffer): { message: FrontendMessage; rest: Buffer } | undefined {
    const headerBytes = started ? 5 : 4;
    neededBytes = headerBytes;
    if (data.length < headerBytes) return undefined;
    const length = data.readInt32BE(headerBytes - 4);
    neededBytes = length + headerBytes - 4;
    if (length < (started ? 4 : 8) || neededBytes > options.maxMessageBytes) {
      throw new Error(`invalid message length ${length}`);
    }
    if (data.length < neededBytes) return undefined;
    const bytes = data.subarray(0, neededBytes);
    const message = started ? readMessage(bytes) : readStartup(bytes);
    started ||= message.kind === "startup";
    return { message, rest: data.subarray(neededBytes) };
  }

  return {
    push(chunk) {
      chunks.push(chunk);
      availableBytes += chunk.length;
      if (availableBytes < neededBytes) return [];
      let data = chunks.length === 1 ? chunk : Buffer.concat(chunks, availableBytes);
      const messages: FrontendMessage[] = [];
      for (let taken = takeMessage(data); taken !== undefined; taken = takeMessage(data)) {
        messages.push(taken.message);
        data = taken.rest;
      }
      chunks = data.length === 0 ? [] : [data];
      availableBytes = data.length;
      return messages;
    },
  };
}

function readMessage(bytes: Buffer): FrontendMessage {
  const type = String.fromCharCode(bytes.readUInt8(0));
  if (!isFrontendType(type)) throw new Error(`invalid frontend message type ${bytes.readUInt8(0)}`);
  return { kind: "message", type, bytes };
}

function isFrontendType(type: string): type is FrontendType {
  return Object.hasOwn(frontendTypes, type);
}

function readStartup(bytes: Buffer): FrontendMessage {
  const code = bytes.readInt32BE(4);
  if (encryptionCodes.has(code)) return { kind: "encryption_request" };
  if (code === cancelCode) return { kind: "cancel_request" };
  if (code >> 16 !== 3) throw new Error(`unsupported frontend protocol ${code >> 16}.${code & 0xffff}`);
  const words = bytes.toString("utf8", 8).split("\0");
  const parameters = new Map<string, string>();
  for (let index = 0; index + 1 < words.length && words[index] !== ""; index += 2) {
    parameters.set(words[index] ?? "", words[index + 1] ?? "");
  }
  return { kind: "startup", minorVersion: code & 0xffff, parameters };
}

export type BackendMessage = { type: string; start: number; end: number };

/** Iterates over complete backend messages; `start` and `end` are offsets into `bytes`. */
export function* backendMessages(bytes: Buffer): Generator<BackendMessage> {
  let start = 0;
  while (start < bytes.length) {
    const end = start + 1 + bytes.readInt32BE(start + 1);
    yield { type: String.fromCharCode(bytes.readUInt8(start)), start, end };
    start = end;
  }
}

export type TransactionStatus = "idle" | "in_transaction" | "failed";

/** `reply` is for the client that sent the batch, `notifications` are for all clients. */
export type BatchResponse = { reply: Buffer; notifications: Buffer; status: TransactionStatus | undefined };

/**
 * Separates notifications from the reply, and removes CopyInResponse because COPY FROM STDIN is rejected before the
 * client can send a row. `status` is that of the last ReadyForQuery.
 */
export function parseBatchResponse(bytes: Buffer): BatchResponse {
  const kept: Buffer[] = [];
  const notifications: Buffer[] = [];
  let status: TransactionStatus | undefined;
  let keptUntil = 0;
  for (const { type, start, end } of backendMessages(bytes)) {
    if (type === "Z") status = statusOf(bytes.readUInt8(start + 5));
    if (type !== "A" && type !== "G") continue;
    kept.push(bytes.subarray(keptUntil, start));
    keptUntil = end;
    if (type === "A") notifications.push(bytes.subarray(start, end));
  }
  const reply = keptUntil === 0 ? bytes : Buffer.concat([...kept, bytes.subarray(keptUntil)]);
  return { reply, notifications: Buffer.concat(notifications), status };
}

function statusOf(byte: number): TransactionStatus {
  if (byte === 0x49) return "idle";
  return byte === 0x54 ? "in_transaction" : "failed";
}

export function startupMessage(parameters: Record<string, string>): Buffer {
  const body = [int32(3 << 16), ...Object.entries(parameters).flat().map(text), text("")];
  return Buffer.concat([int32(4 + body.reduce((total, part) => total + part.length, 0)), ...body]);
}

export function queryMessage(sql: string): Buffer {
  return encode("Q", text(sql));
}

export const syncMessage = encode("S");

export function copyFailMessage(reason: string): Buffer {
  return encode("f", text(reason));
}

/** Accepts a client without a password. */
export function startupResponse(
  startup: Extract<FrontendMessage, { kind: "startup" }>,
  session: { settings: Record<string, string>; processId: number },
): Buffer {
  const unknownOptions = [...startup.parameters.keys()].filter((name) => name.startsWith("_pq_."));
  const negotiation = [int32(3 << 16), int32(unknownOptions.length), ...unknownOptions.map((name) => text(name))];
  return Buffer.concat([
    ...(startup.minorVersion > 0 || unknownOptions.length > 0 ? [encode("v", ...negotiation)] : []),
    encode("R", int32(0)),
    ...Object.entries(session.settings).map(([name, value]) => encode("S", text(name), text(value))),
    encode("K", int32(session.processId), int32(0)),
    encode("Z", Buffer.from("I")),
  ]);
}

export function fatalErrorMessage(code: string, reason: string): Buffer {
  return encode("E", text("SFATAL"), text("VFATAL"), text(`C${code}`), text(`M${reason}`), text(""));
}

function encode(type: string, ...body: Buffer[]): Buffer {
  const length = body.reduce((total, part) => total + part.length, 4);
  return Buffer.concat([Buffer.from(type), int32(length), ...body]);
}

function text(value: string): Buffer {
  return Buffer.from(`${value}\0`);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
