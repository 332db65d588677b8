import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Connection } from "./connection-pool.js";

export type ListenerEvents = {
  onPayload(payload: string): void;
  /** Notifications may have been missed while there was no connection. */
  onReconnect(): void;
};

export type Listener = {
  /** Listens on a new connection. */
  renew(): void;
  close(): Promise<void>;
};

const connectTimeoutMs = 5_000;
const shortestDelayMs = 100;
const longestDelayMs = 5_000;

/**
 * Listens to a channel on a connection of its own. A lost connection is made again, with backoff. It never fails: an
 * outage of the database is logged by those who use it, and whoever listens can also ask.
 */
export function listen(connection: Connection, channel: string, events: ListenerEvents): Listener {
  const closing = new AbortController();
  const { signal } = closing;
  let renew = () => {};

  async function run(): Promise<void> {
    let connections = 0;
    for (let delayMs = shortestDelayMs; !signal.aborted; delayMs = Math.min(delayMs * 2, longestDelayMs)) {
      const client = new pg.Client({
        ...connection,
        application_name: "svc-listen",
        connectionTimeoutMillis: connectTimeoutMs,
        keepAlive: true,
        keepAliveInitialDelayMillis: 5_000,
      });
      const lost = Promise.race([
        untilLost(client, signal),
        new Promise<void>((resolve) => {
          renew = resolve;
        }),
      ]);
      client.on("notification", ({ payload }) => events.onPayload(payload ?? ""));
      try {
        await client.connect();
        await client.query(`listen ${pg.escapeIdentifier(channel)}`);
        delayMs = shortestDelayMs;
        connections += 1;
        if (connections > 1) events.onReconnect();
        await lost;
      } catch {
        // Tried again after the delay.
      }
      await client.end().catch(() => {});
      await sleep(delayMs * (0.5 + Math.random()), undefined, { signal }).catch(() => {});
    }
  }

  const running = run();
  return {
    renew: () => renew(),
    async close() {
      closing.abort();
      await running;
    },
  };
}

function untilLost(client: pg.Client, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    client.on("error", () => resolve());
    client.on("end", () => resolve());
    signal.addEventListener("abort", () => resolve());
  });
}
