import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { useServeEnvironment } from "../cli/serve-support.js";
import { call } from "../support/call.js";
import { startCommand } from "../support/svc.js";
import { until } from "../support/until.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));

const env = useServeEnvironment();

async function serve(more: Record<string, string>) {
  const all = { ...env, WORKERS: "1", OPERATIONS_PORT: "0", ...more };
  const running = await startCommand(["serve", "--no-demo", "--port", "0", "--json"], all);
  return { ...running, operationsUrl: running.ready.operations_url, lines: () => linesOf(running.output().stderr) };
}

const linesOf = (stderr: string) =>
  stderr
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Start, drain and stop: these lines have the version. */
const isOfLife = (line: Record<string, unknown>) => line.version !== undefined;

const life = (lines: Record<string, unknown>[]) => lines.filter(isOfLife).map(({ msg, signal }) => [msg, signal]);

const draining = "draining: requests are finished before the process stops";

it.each(["SIGTERM", "SIGHUP"] as const)(
  "%s drains, logs it and exits with 0; SIGUSR2 has no effect",
  async (signal) => {
    const server = await serve({ SHUTDOWN_GRACE_S: "0" });
    server.child.kill("SIGUSR2");
    await until(() => server.lines().some((line) => line.signal === "SIGUSR2"));
    expect(await server.stop(signal)).toBe(0);
    expect(life(server.lines())).toEqual([
      ["started", undefined],
      ["SIGUSR2 has no effect", "SIGUSR2"],
      [draining, signal],
      ["stopped", signal],
    ]);
    const { pid } = server.child;
    for (const line of server.lines().filter(isOfLife)) expect(line).toMatchObject({ level: 30, version, pid });
  },
);

it("a signal is unready at once and serves for the grace period; another one than its copy stops at once", async () => {
  const server = await serve({ SHUTDOWN_GRACE_S: "600" });
  expect((await call(server.ready.url, "/readyz")).status).toBe(200);
  const { text: metrics } = await call(server.operationsUrl, "/metrics");
  expect(metrics).toContain(`\nsvc_build_info{version="${version}",node="${process.versions.node}"} 1\n`);
  for (const signal of ["SIGTERM", "SIGHUP"] as const) server.child.kill(signal);
  await until(() => server.lines().some(({ msg }) => msg === draining));
  const reply = await call(server.ready.url, "/readyz");
  expect([reply.status, reply.headers.get("connection")]).toEqual([503, "close"]);
  expect((await call(server.ready.url, "/api/svc")).status).toBe(200);
  expect((await call(server.operationsUrl, "/metrics")).text).toContain("\nsvc_draining 1\n");
  await sleep(1_500);
  expect(await server.stop("SIGINT")).toBe(1);
  expect(life(server.lines()).slice(1)).toEqual([
    [draining, expect.any(String)],
    ["stopped by a second signal: requests were aborted", "SIGINT"],
  ]);
});

/** A service in a process group of its own, as a terminal has it. */
async function startGroup(command: string, args: string[]) {
  const { DATABASE_URL: _database, REDIS_URL: _redis, ...inherited } = process.env;
  const all = { ...inherited, ...env, WORKERS: "1", PORT: "0", SHUTDOWN_GRACE_S: "0" };
  const child = spawn(command, args, { cwd: root, env: all, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  const written = [child.stdout, child.stderr].map(collect);
  await until(() => written.some((text) => text().includes("Press Ctrl-C to stop")), 120_000);
  return {
    child,
    signalAll: (signal: NodeJS.Signals) => process.kill(-(child.pid ?? 0), signal),
    servicePid: () => until(() => /"pid":(\d+).*"msg":"started"/.exec(written.map((text) => text()).join(""))?.[1]),
    /** Everything that was written, once no process of the group has the pipes open. */
    async ended() {
      if (child.stdout.readable || child.stderr.readable) await once(child, "close");
      return { stdout: written[0]?.() ?? "", stderr: written[1]?.() ?? "" };
    },
  };
}

function collect(stream: Readable): () => string {
  let text = "";
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  return () => text;
}

it("Ctrl-C drains a service under npm, which passes the signal on once more, and tells the person", async () => {
  const group = await startGroup("npm", ["start", "--", "--no-demo"]);
  const exited = once(group.child, "exit");
  group.signalAll("SIGINT");
  expect(await exited).toEqual([0, null]);
  const { stdout, stderr } = await group.ended();
  expect(stdout).toMatch(/\nStopping: requests are finished first\. Press Ctrl-C again to stop at once\.\n$/);
  expect(life(linesOf(stderr))).toEqual([
    ["started", undefined],
    [draining, "SIGINT"],
    ["stopped", "SIGINT"],
  ]);
});

it("npm passes SIGTERM on", async () => {
  const group = await startGroup("npm", ["start", "--", "--no-demo"]);
  group.child.kill("SIGTERM");
  const { stderr } = await group.ended();
  expect(life(linesOf(stderr)).at(-1)).toEqual(["stopped", "SIGTERM"]);
});

it("a closed terminal drains a service under npm, which SIGHUP ends", async () => {
  const group = await startGroup("npm", ["start", "--", "--no-demo"]);
  group.signalAll("SIGHUP");
  const { stderr } = await group.ended();
  expect(life(linesOf(stderr)).at(-1)).toEqual(["stopped", "SIGHUP"]);
});

it("exits with 0 although its terminal is gone", async () => {
  const code = join(env.DATA_DIR ?? "", "code");
  // The shell, to which the closed terminal sends SIGHUP, stays to see the exit code.
  const program = `trap "" HUP; ${process.execPath} bin/svc serve --no-demo; echo $? > ${code}`;
  const group = await startGroup("script", ["--quiet", "--command", program, "/dev/null"]);
  const pid = await group.servicePid();
  group.child.kill("SIGKILL");
  await group.ended();
  process.kill(Number(pid), "SIGHUP");
  // The shell makes the file before it writes into it.
  await expect.poll(() => readFile(code, "utf8").catch(() => undefined)).toBe("0\n");
});
