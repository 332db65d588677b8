import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export type ChildEvent = { event: string; owned?: boolean; message?: string; count?: number; number?: number };

export type Child = {
  process: ChildProcess;
  events: ChildEvent[];
  /** The first event of one of these names, also when it came before. */
  event(...names: string[]): Promise<ChildEvent>;
  kill(): Promise<void>;
  /** Lets the process close its database and end. */
  end(): Promise<void>;
};

export function startChild(options: {
  dataDir: string;
  mode: "own" | "share";
  task: "hold" | "race" | "write";
}): Child {
  const script = fileURLToPath(new URL("./embedded-db-child.mjs", import.meta.url));
  const child = spawn(process.execPath, [script, JSON.stringify(options)], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const events: ChildEvent[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => events.push(JSON.parse(line)));
  const silent = new Promise<void>((resolve) => lines.once("close", resolve));
  return {
    process: child,
    events,
    event(...names) {
      return new Promise((resolve, reject) => {
        const look = () => {
          const found = events.find((event) => names.includes(event.event));
          if (found !== undefined) resolve(found);
        };
        lines.on("line", look);
        silent.then(() => reject(new Error(`ended without ${names.join(" or ")}: ${JSON.stringify(events)}`)));
        look();
      });
    },
    async kill() {
      child.kill("SIGKILL");
      await Promise.all([ended, silent]);
    },
    async end() {
      child.stdin.end();
      await Promise.all([ended, silent]);
    },
  };
}

/** A folder for one test, and what to do after it. */
export async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), "svc-test-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
