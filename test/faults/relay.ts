import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export type Relay = {
  port: number;
  /** From now on no byte passes in either direction, and new connections are accepted but lead nowhere. */
  drop(): void;
  /** Bytes that were held back pass again. */
  restore(): void;
  /** New connections lead to this port; those that are open stay where they are. */
  leadTo(targetPort: number): void;
  close(): Promise<void>;
};

/** A TCP relay that can behave like a network that loses every packet. */
export async function startRelay(firstPort: number, port = 0): Promise<Relay> {
  let targetPort = firstPort;
  const pairs = new Set<[Socket, Socket]>();
  let dropping = false;
  const server = createServer((client) => {
    const target = connect(targetPort, "127.0.0.1");
    const pair: [Socket, Socket] = [client, target];
    pairs.add(pair);
    for (const [from, to] of [pair, [target, client] as const]) {
      from.on("data", (chunk) => to.write(chunk));
      from.on("error", () => {});
      from.on("close", () => {
        pairs.delete(pair);
        if (!dropping) to.destroy();
      });
      if (dropping) from.pause();
    }
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  const each = (action: (socket: Socket) => void) => {
    for (const pair of pairs) for (const socket of pair) action(socket);
  };
  return {
    port: (server.address() as AddressInfo).port,
    drop() {
      dropping = true;
      each((socket) => socket.pause());
    },
    restore() {
      dropping = false;
      each((socket) => socket.resume());
    },
    leadTo(next) {
      targetPort = next;
    },
    async close() {
      each((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
