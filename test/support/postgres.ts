import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import type { OpenedDatabase } from "./embedded.js";

declare module "vitest" {
  export interface ProvidedContext {
    /** The server of DATABASE_URL, the beginning of the names of the run's databases, and one that has the schema only. */
    postgres: { server: string; prefix: string; template: string };
    /** Removed after the run. */
    temporaryDirectory: string;
  }
}

/** Creates an empty database on the server of DATABASE_URL. global-setup.ts removes those that a test leaves. */
export const createPostgresDatabase = () => create("");

/** The same with the schema. */
export const createMigratedDatabase = () => create(`template ${inject("postgres").template}`);

async function create(options: string): Promise<OpenedDatabase> {
  const { server, prefix } = inject("postgres");
  const name = `${prefix}_${randomBytes(4).toString("hex")}`;
  await onServer(server, `create database ${name} ${options}`);
  const url = databaseUrl(server, name);
  return {
    connection: { connectionString: url },
    env: { DATABASE_URL: url },
    async remove() {
      await onServer(server, `drop database if exists ${name} with (force)`);
    },
  };
}

export function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

export async function onServer(connectionString: string, statement: string): Promise<{ name: string }[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<{ name: string }>(statement)).rows;
  } finally {
    await client.end();
  }
}
