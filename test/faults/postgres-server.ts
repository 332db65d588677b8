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
  /** A hot standby of this server. With it, a commit is acknowledged once the standby has it. */
  startStandby(): Promise<PostgresServer>;
  remove(): Promise<void>;
};

/** A PostgreSQL server of the test's own, on a free port, so that it can be stopped. */
export async function startPostgresServer(
  parent = tmpdir(),
  env: Record<string, string> = {},
): Promise<PostgresServer> {
  const files = makeDirectory(parent);
  const { account, directory, data, program } = files;
  const options = ["-A", "trust", "-U", "postgres", "--no-sync", "--wal-segsize=1", "-D", data];
  execFileSync(program("initdb"), options, { ...account, cwd: directory, stdio: "ignore" });
  return start(files, parent, env);
}

type Directory = {
  directory: string;
  data: string;
  /** PostgreSQL refuses to run as root. */
  account: { uid: number; gid: number } | undefined;
  program(name: string): string;
};

function makeDirectory(parent: string): Directory {
  const version = readdirSync(versionsDir).sort((a, b) => Number(b) - Number(a))[0];
  if (version === undefined) throw new Error(`no PostgreSQL server is installed in ${versionsDir}`);
  const program = (name: string) => join(versionsDir, version, "bin", name);
  const account = process.getuid?.() === 0 ? accountOf("postgres") : undefined;
  const directory = mkdtempSync(join(parent, "svc-postgres-"));
  if (account !== undefined) chownSync(directory, account.uid, account.gid);
  return { directory, data: join(directory, "data"), account, program };
}

/** Starts the server of a directory that has its data. */
async function start(files: Directory, parent: string, env: Record<string, string>): Promise<PostgresServer> {
  const { directory, data, account, program } = files;
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
      const inherited = { ...process.env, ...env };
      server = spawn(program("postgres"), ["-D", data, ...settings], {
        ...account,
        cwd: directory,
        stdio: "ignore",
        env: inherited,
      });
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
    async startStandby() {
      const copy = makeDirectory(parent);
      const slot = "standby";
      const from = ["-h", "127.0.0.1", "-p", String(port), "-U", "postgres", "-C", "-S", slot];
      const how = ["-D", copy.data, "-R", "-X", "stream", "-c", "fast", "--no-sync"];
      execFileSync(program("pg_basebackup"), [...from, ...how], { ...account, cwd: copy.directory, stdio: "ignore" });
      const standby = await start(copy, parent, env);
      await query("alter system set synchronous_standby_names = '*'");
      await query("select pg_reload_conf()");
      return standby;
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

export function accountOf(name: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync("id", [flag, name], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}
