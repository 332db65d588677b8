import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export type WireCounts = {
  /** Statements that were sent, with BEGIN and COMMIT. */
  statements: number;
  /** How often a connection sent something after it had heard from the server: statements sent together are one. */
  trips: number;
};

export type CountingRelay = {
  port: number;
  /** What passed while `work` ran, and shortly after it, when a transaction may still end. */
  count(work: () => Promise<unknown>): Promise<WireCounts>;
  close(): Promise<void>;
};

/** Responses are held back for so long that everything the client sends meanwhile counts as sent together. */
const holdMs = 10;

/** A TCP relay to PostgreSQL that counts what passes. */
export async function startCountingRelay(target: { host: string; port: number }): Promise<CountingRelay> {
  const counts: WireCounts = { statements: 0, trips: 0 };
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target.port, target.host);
    let heard = true;
    const readMessages = messageReader((type) => {
      if (type === "Q" || type === "E") counts.statements += 1;
    });
    client.on("data", (chunk) => {
      if (heard) counts.trips += 1;
      heard = false;
      readMessages(chunk);
      upstream.write(chunk);
    });
    let held: Buffer[] = [];
    let timer: NodeJS.Timeout | undefined;
    upstream.on("data", (chunk) => {
      held.push(chunk);
      clearTimeout(timer);
      timer = setTimeout(() => {
        heard = true;
        client.write(Buffer.concat(held));
        held = [];
      }, holdMs);
    });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on("error", () => {});
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async count(work) {
      Object.assign(counts, { statements: 0, trips: 0 });
      await work();
      await sleep(5 * holdMs);
      return { ...counts };
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Calls back with the type of each message of a client. The first message has none. */
function messageReader(onMessage: (type: string) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let typeBytes = 0;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= typeBytes + 4) {
      const end = typeBytes + rest.readUInt32BE(typeBytes);
      if (rest.length < end) return;
      if (typeBytes === 1) onMessage(rest.toString("latin1", 0, 1));
      rest = rest.subarray(end);
      typeBytes = 1;
    }
  };
}
