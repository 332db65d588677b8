import { PassThrough } from "node:stream";
import { ServiceError } from "../../contract/errors.js";
import type { Database } from "../infra/database/db.js";
import type { Listener } from "../infra/database/listener.js";

/** What a stream tells about a change: only what to read again. */
export type ChangeNotice = { topic: "event" | "organization"; id: string } | { topic: "all" };

export type StreamLimits = { streams: number; perPerson: number; heartbeatMs: number };

export const streamLimits: StreamLimits = { streams: 1_000, perPerson: 20, heartbeatMs: 25_000 };

export type StreamOptions = {
  personId: string;
  /** Null: changes of all organizations. */
  organizationId: string | null;
  /**
   * Checked with each heartbeat, and with each change that may be one of members: a stream ends when the session has ended or
   * the person has left.
   */
  mayContinue(): Promise<boolean>;
  signal: AbortSignal;
};

export type ChangeStreams = {
  /** Server-sent events that end when the client is gone, may no longer listen, or the service stops. */
  open(options: StreamOptions): PassThrough;
  count(): number;
  close(): Promise<void>;
};

type OpenStream = StreamOptions & { output: PassThrough };

/** A client that does not read is disconnected: it asks again when it comes back. */
const longestQueueBytes = 64 * 1024;

/** Passes on what changed to everyone who may know, from one connection to the database per process. */
export function createChangeStreams(db: Database, limits: StreamLimits = streamLimits): ChangeStreams {
  const streams = new Set<OpenStream>();
  let listener: Listener | undefined;
  const heartbeat = setInterval(() => {
    for (const stream of streams) void sendIfAllowed(stream, ": heartbeat\n\n");
  }, limits.heartbeatMs);
  heartbeat.unref();

  function send(stream: OpenStream, text: string): void {
    if (stream.output.writableEnded) return;
    if (stream.output.writableLength > longestQueueBytes) stream.output.destroy();
    else stream.output.write(text);
  }

  async function sendIfAllowed(stream: OpenStream, text: string): Promise<void> {
    // An outage of the database does not end streams: the next heartbeat checks again.
    const mayContinue = await stream.mayContinue().catch(() => true);
    if (mayContinue) send(stream, text);
    else stream.output.end();
  }

  /** One stream after another, so that many of them do not take all connections to the database. */
  async function publish(notify: (stream: OpenStream) => ChangeNotice | undefined): Promise<void> {
    for (const stream of [...streams]) {
      const notice = notify(stream);
      if (notice === undefined) continue;
      const text = `event: change\ndata: ${JSON.stringify(notice)}\n\n`;
      if (notice.topic === "event") send(stream, text);
      else await sendIfAllowed(stream, text);
    }
  }

  function onPayload(payload: string): void {
    const { event, organizations } = JSON.parse(payload) as { event: string | null; organizations: string[] };
    void publish(({ organizationId }) => {
      if (event === null && organizations.length === 0) return { topic: "all" };
      if (organizationId !== null && !organizations.includes(organizationId)) return undefined;
      if (event !== null) return { topic: "event", id: event };
      const id = organizationId ?? organizations[0];
      return id === undefined ? { topic: "all" } : { topic: "organization", id };
    });
  }

  return {
    open(options) {
      const own = [...streams].filter(({ personId }) => personId === options.personId);
      if (streams.size >= limits.streams || own.length >= limits.perPerson) {
        throw new ServiceError("unavailable", "Too many open pages listen for changes. Close some", {
          retryAfterSeconds: 30,
        });
      }
      listener ??= db.listen("svc_changes", { onPayload, onReconnect: () => void publish(() => ({ topic: "all" })) });
      const stream: OpenStream = { ...options, output: new PassThrough() };
      streams.add(stream);
      stream.output.once("close", () => streams.delete(stream));
      options.signal.addEventListener("abort", () => stream.output.destroy());
      stream.output.write("retry: 3000\n\n");
      return stream.output;
    },
    count: () => streams.size,
    async close() {
      clearInterval(heartbeat);
      for (const { output } of streams) output.end();
      await listener?.close();
    },
  };
}
