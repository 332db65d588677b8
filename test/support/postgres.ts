import { randomBytes } from "node:crypto";
import pg from "pg";
import type { OpenedDatabase } from "./embedded.js";

/** Creates a database on the server of DATABASE_URL. */
export async function createPostgresDatabase(): Promise<OpenedDatabase> {
  const server = process.env.DATABASE_URL;
  if (!server) throw new Error("DATABASE_URL is not set");
  const name = `svc_test_${randomBytes(6).toString("hex")}`;
  await onServer(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    connection: { connectionString: url.href },
    env: { DATABASE_URL: url.href },
    remove: () => onServer(server, `drop database if exists ${name} with (force)`),
  };
}

async function onServer(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
