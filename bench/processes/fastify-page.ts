// The shortest route that reads the same page with the same prepared statement: fastify, pg, and the key in a Map.
import type { AddressInfo } from "node:net";
import fastify from "fastify";
import pg from "pg";
import { readConfiguration, reportReady } from "../support/process.js";

export type FastifyPage = {
  databaseUrl: string;
  connections: number;
  key: string;
  statement: { name: string; text: string; values: unknown[] };
};

const { databaseUrl, connections, key, statement } = await readConfiguration<FastifyPage>();
const pool = new pg.Pool({ connectionString: databaseUrl, max: connections });
const keys = new Map([[`Bearer ${key}`, true]]);

const app = fastify();
app.get("/page", async (request, reply) => {
  if (!keys.has(request.headers.authorization ?? "")) return reply.code(401).send();
  const { rows } = await pool.query<{ items: string; count: string }>(statement);
  const [{ items, count } = { items: "", count: "0" }] = rows;
  return reply
    .type("application/json; charset=utf-8")
    .send(`{"items":[${items}],"pagination":{"has_more":true,"next_cursor":null,"count":${count}}}`);
});
await app.listen({ port: 0, host: "127.0.0.1" });
reportReady((app.server.address() as AddressInfo).port);
