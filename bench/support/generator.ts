import { connect, type Socket } from "node:net";
import type { LoadPlan, RequestPlan } from "./request-plan.js";
import { fill, isDynamic } from "./request-plan.js";
import { createResponseReader, type ResponseReader } from "./response-reader.js";

/** `requests` were answered in time, `completed` includes those that were in flight at the end. */
export type Load = {
  requests: number;
  completed: number;
  seconds: number;
  p50Ms: number;
};

/** Requests that are ready to be sent, one after the other. */
type Source = RequestPlan & { next(connection: number): Buffer };

export type PreparedLoad = { port: number; connections: number; pick(): Source };

export function prepareLoad({ port, connections, requests }: LoadPlan): PreparedLoad {
  const host = `127.0.0.1:${port}`;
  const sources = requests.map((request) => prepareSource({ ...request, text: request.text.replace("{host}", host) }));
  return { port, connections, pick: picker(sources) };
}

function prepareSource(request: RequestPlan): Source {
  const { text, variants, variantsPerConnection } = request;
  const prepared = isDynamic(text) ? undefined : variants.map((variant) => Buffer.from(fill(text, variant, 0)));
  let count = 0;
  const counts: number[] = [];
  const placeOf = (connection: number) => {
    if (variantsPerConnection === undefined) return count++ % variants.length;
    const own = counts[connection] ?? 0;
    counts[connection] = own + 1;
    return connection * variantsPerConnection + (own % variantsPerConnection);
  };
  return {
    ...request,
    next(connection) {
      const place = placeOf(connection);
      const variant = variants[place];
      if (variant === undefined) throw new Error(`connection ${connection} has no variant ${place}`);
      return prepared?.[place] ?? Buffer.from(fill(text, variant, unique++));
    },
  };
}

let unique = 0;

/** Spreads the kinds of requests evenly by their shares, in the same order every time. */
function picker(sources: Source[]): () => Source {
  const [only] = sources;
  if (only !== undefined && sources.length === 1) return () => only;
  const total = sources.reduce((sum, { share }) => sum + share, 0);
  const due = sources.map(() => 0);
  return () => {
    let best = 0;
    for (const [place, { share }] of sources.entries()) {
      due[place] = (due[place] ?? 0) + share / total;
      if ((due[place] ?? 0) > (due[best] ?? 0)) best = place;
    }
    due[best] = (due[best] ?? 0) - 1;
    return sources[best] as Source;
  };
}

/** Raw connections that send their next request when they have the response. An unexpected response ends it with an error. */
export async function generateLoad(plan: PreparedLoad, milliseconds: number): Promise<Load> {
  const open = await Promise.all(Array.from({ length: plan.connections }, () => connectTo(plan.port)));
  const times: number[] = [];
  const startedAt = performance.now();
  const endsAt = startedAt + milliseconds;
  let requests = 0;
  const note = (ms: number, now: number) => {
    times.push(ms);
    if (now <= endsAt) requests += 1;
  };
  try {
    await Promise.all(open.map((connection, place) => drive(connection, plan, place, endsAt, note)));
  } finally {
    for (const { socket } of open) socket.destroy();
  }
  return loadOf(times, requests, milliseconds);
}

export function loadOf(times: number[], requests: number, milliseconds: number): Load {
  const sorted = Float64Array.from(times).sort();
  const timeAt = (part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
  return { requests, completed: times.length, seconds: milliseconds / 1000, p50Ms: timeAt(0.5) };
}

/** A connection whose data is read into one buffer, which costs half as much as a new one for each part. */
type Connection = { socket: Socket; onData: (chunk: Buffer) => void };

function connectTo(port: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const buffer = Buffer.alloc(64 * 1024);
    const callback = (bytes: number) => {
      connection.onData(buffer.subarray(0, bytes));
      return true;
    };
    const socket = connect({ port, host: "127.0.0.1", noDelay: true, onread: { buffer, callback } });
    const connection: Connection = { socket, onData: () => {} };
    socket.once("connect", () => resolve(connection));
    socket.once("error", reject);
  });
}

function drive(
  connection: Connection,
  plan: PreparedLoad,
  place: number,
  endsAt: number,
  note: (ms: number, now: number) => void,
): Promise<void> {
  const { socket } = connection;
  const readers = new Map<Source, ResponseReader>();
  return new Promise((resolve, reject) => {
    let source: Source;
    let reader: ResponseReader;
    let sentAt = 0;
    const send = () => {
      source = plan.pick();
      reader = readers.get(source) ?? createResponseReader(source.contains !== undefined);
      readers.set(source, reader);
      sentAt = performance.now();
      socket.write(source.next(place));
    };
    connection.onData = (chunk) => {
      try {
        if (!reader.read(chunk)) return;
        check(source, reader);
        const now = performance.now();
        note(now - sentAt, now);
        if (now >= endsAt) resolve();
        else send();
      } catch (error) {
        reject(error);
      }
    };
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("the server closed a connection")));
    send();
  });
}

function check({ text, status, contains }: Source, reader: ResponseReader): void {
  const received = reader.status();
  if (received === status && (contains === undefined || reader.text().includes(contains))) return;
  const wanted = contains === undefined ? String(status) : `${status} with ${contains}`;
  const [line = ""] = text.split("\r\n", 1);
  const body = reader.text().split("\r\n\r\n").at(-1) ?? "";
  throw new Error(`${line}: expected ${wanted}, but got ${received}: ${body.slice(0, 500)}`);
}
