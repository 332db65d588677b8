import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { expect, it } from "vitest";
import { createServer } from "../../src/http/server.js";
import type { Database } from "../../src/infra/database/db.js";
import { createOperations } from "../../src/infra/observability/operations.js";
import { createMemoryLog } from "../support/memory-log.js";

it("every request that a connection has sent at once is logged as aborted when the caller disconnects", async () => {
  const { log, lines } = createMemoryLog();
  const db = { lookups: { query: async () => [] } } as unknown as Database;
  const app = createServer({
    operations: createOperations(log, db),
    baseUrl: "https://svc.test",
    corsOrigins: [],
    connectionLimits: { connections: 100 },
  });
  let started = 0;
  app.get("/never/:id", () => {
    started += 1;
    return new Promise(() => {});
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  await once(socket, "connect");
  socket.write([1, 2, 3].map((id) => `GET /never/${id} HTTP/1.1\r\nHost: svc.test\r\n\r\n`).join(""));
  await expect.poll(() => started).toBe(3);
  socket.destroy();
  await expect.poll(() => lines().map(({ aborted }) => aborted)).toEqual([true, true, true]);
  await app.close();
});
