import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const executable = fileURLToPath(new URL("../../bin/svc", import.meta.url));

type Environment = Record<string, string | undefined>;

/** Node options for short-lived processes: compiling PGlite without optimization halves the CPU time of a start. */
export const fastStart = ["--liftoff-only"];

/** SIGTERM stops a service at once: no load balancer has to notice it. */
export const withoutGrace = { SHUTDOWN_GRACE_S: "0" };

export type Finished = { code: number | null; stdout: string; stderr: string };

/** Runs `svc` to completion. DATABASE_URL and REDIS_URL are passed on only if given in `env`. */
export async function svc(args: string[], env: Environment = {}, stdin = "", program = executable): Promise<Finished> {
  const child = launch(args, env, fastStart, program);
  const output = collect(child);
  child.stdin?.end(stdin);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...output() };
}

export type Running = {
  /** The document it printed when it was ready. */
  ready: { url: string; operations_url: string; demo: { keys: { tier: string; key: string }[] } | null };
  child: ChildProcess;
  output: () => { stdout: string; stderr: string };
  stop(signal?: NodeJS.Signals): Promise<number | null>;
};

/** Starts `svc serve … --json` and waits until it is ready. */
export async function startCommand(
  args: string[],
  env: Environment = {},
  nodeOptions = fastStart,
  program = executable,
): Promise<Running> {
  const child = launch(args, env, nodeOptions, program);
  const output = collect(child);
  const ready = await new Promise<Running["ready"]>((resolve, reject) => {
    child.stdout?.on("data", () => {
      const { stdout } = output();
      if (stdout.endsWith("}\n")) resolve(JSON.parse(stdout) as Running["ready"]);
    });
    child.once("close", (code) => reject(new Error(`svc ${args.join(" ")} exited with ${code}: ${output().stderr}`)));
  });
  return {
    ready,
    child,
    output,
    async stop(signal = "SIGTERM") {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const closed = once(child, "close");
      child.kill(signal);
      const [code] = (await closed) as [number | null];
      return code;
    },
  };
}

/**
 * With TEST_PROCESSES=4, `svc serve` on PostgreSQL has four workers unless the test chooses the number, which then share
 * their limits through the Redis of the run.
 */
export function workersFor(args: string[], env: Environment): Environment {
  const { TEST_PROCESSES, REDIS_URL } = process.env;
  const { DATABASE_URL, WORKERS } = env;
  const decides = args[0] !== "serve" || args.includes("--workers") || WORKERS !== undefined;
  if (decides || Number(TEST_PROCESSES || 1) === 1 || !DATABASE_URL) return {};
  return { WORKERS: TEST_PROCESSES, REDIS_URL };
}

function launch(args: string[], env: Environment, nodeOptions: string[], program: string): ChildProcess {
  const { DATABASE_URL: _, REDIS_URL: __, ...rest } = process.env;
  return spawn(process.execPath, [...nodeOptions, program, ...args], {
    env: { ...rest, ...withoutGrace, ...workersFor(args, env), ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
}

function collect(child: ChildProcess): () => { stdout: string; stderr: string } {
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (chunk: string) => {
      texts[name] += chunk;
    });
  }
  return () => ({ ...texts });
}
