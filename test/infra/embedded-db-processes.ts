import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { onTestFinished } from "vitest";
import type { EmbeddedDatabase } from "../../src/infra/embedded-db/embedded-db.js";
import { fastStart } from "../support/svc.js";

export type ChildEvent = { event: string; owned?: boolean; message?: string; count?: number; number?: number };

export type Child = {
  process: ChildProcess;
  events: ChildEvent[];
  /** The first event with one of these names, including past events. */
  event(...names: string[]): Promise<ChildEvent>;
  kill(): Promise<void>;
  /** Lets the process close its database and exit. */
  end(): Promise<void>;
};

export function startChild(options: {
  dataDir: string;
  mode: "own" | "share";
  task: "hold" | "race" | "write";
}): Child {
  const script = fileURLToPath(new URL("./embedded-db-child.mjs", import.meta.url));
  const child = spawn(process.execPath, [...fastStart, script, JSON.stringify(options)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const events: ChildEvent[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => events.push(JSON.parse(line)));
  const outputEnded = new Promise<void>((resolve) => lines.once("close", resolve));
  return {
    process: child,
    events,
    event(...names) {
      return new Promise((resolve, reject) => {
        const check = () => {
          const found = events.find((event) => names.includes(event.event));
          if (found !== undefined) resolve(found);
        };
        lines.on("line", check);
        outputEnded.then(() => reject(new Error(`exited without ${names.join(" or ")}: ${JSON.stringify(events)}`)));
        check();
      });
    },
    async kill() {
      child.kill("SIGKILL");
      await Promise.all([exited, outputEnded]);
    },
    async end() {
      child.stdin.end();
      await Promise.all([exited, outputEnded]);
    },
  };
}

export async function temporaryDirectory(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), "svc-test-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** A directory that is removed after the test. */
export async function newDirectory(): Promise<string> {
  const directory = await temporaryDirectory();
  onTestFinished(() => directory.remove());
  return directory.path;
}

/** A client that is disconnected after the test. */
export async function connectTo(database: EmbeddedDatabase): Promise<pg.Client> {
  const client = new pg.Client(database.connection);
  client.on("error", () => {});
  await client.connect();
  onTestFinished(() => client.end().catch(() => {}));
  return client;
}
