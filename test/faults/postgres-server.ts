import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { findFreePort } from "../cli/launch.js";

const versionsDir = "/usr/lib/postgresql";

export type PostgresServer = {
  port: number;
  url: string;
  start(): Promise<void>;
  isRunning(): boolean;
  /** SIGINT is a fast shutdown, SIGQUIT an immediate one, SIGKILL a crash. */
  stop(signal: "SIGINT" | "SIGQUIT" | "SIGKILL"): Promise<void>;
  /** SIGSTOP of every process of the server, until the returned function is called. */
  stall(): () => void;
  query(text: string): Promise<Record<string, unknown>[]>;
  remove(): Promise<void>;
};

/** A PostgreSQL server of the test's own, on a free port, so that it can be stopped. PostgreSQL refuses to run as root. */
export async function startPostgresServer(parent = tmpdir()): Promise<PostgresServer> {
  const version = readdirSync(versionsDir).sort((a, b) => Number(b) - Number(a))[0];
  if (version === undefined) throw new Error(`no PostgreSQL server is installed in ${versionsDir}`);
  const program = (name: string) => join(versionsDir, version, "bin", name);
  const account = process.getuid?.() === 0 ? accountOf("postgres") : undefined;
  const directory = mkdtempSync(join(parent, "svc-postgres-"));
  if (account !== undefined) chownSync(directory, account.uid, account.gid);
  const data = join(directory, "data");
  execFileSync(program("initdb"), ["-A", "trust", "-U", "postgres", "--no-sync", "--wal-segsize=1", "-D", data], {
    ...account,
    cwd: directory,
    stdio: "ignore",
  });
  const port = await findFreePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let server: ChildProcess;

  async function query(text: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => {});
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }

  const controller: PostgresServer = {
    port,
    url,
    query,
    isRunning: () => server.exitCode === null && server.signalCode === null,
    async start() {
      const settings = [`-p${port}`, "-h127.0.0.1", `-k${directory}`, "-cshared_buffers=32MB", "-cmax_connections=60"];
      server = spawn(program("postgres"), ["-D", data, ...settings], { ...account, cwd: directory, stdio: "ignore" });
      while (!(await query("select 1").catch(() => undefined))) await sleep(20);
    },
    async stop(signal) {
      const exited = once(server, "exit");
      if (signal === "SIGKILL") for (const pid of processesOf(server)) kill(pid, "SIGKILL");
      else server.kill(signal);
      await exited;
    },
    stall() {
      const pids = processesOf(server);
      for (const pid of pids) kill(pid, "SIGSTOP");
      return () => {
        for (const pid of pids) kill(pid, "SIGCONT");
      };
    },
    async remove() {
      if (controller.isRunning()) await controller.stop("SIGKILL");
      rmSync(directory, { recursive: true, force: true });
    },
  };
  await controller.start();
  return controller;
}

/** The server and its children. */
function processesOf(server: ChildProcess): number[] {
  const listed = execFileSync("ps", ["-o", "pid=", "--ppid", String(server.pid)], { encoding: "utf8" });
  return [server.pid ?? 0, ...listed.trim().split(/\s+/).map(Number)];
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended in the meantime.
  }
}

function accountOf(name: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync("id", [flag, name], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}
