import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { refuseWhileStopping } from "./clean-up.js";

/** The executable of this checkout; the path is relative to dist/bench/support/. */
export const executable = fileURLToPath(new URL("../../../bin/svc", import.meta.url));

/** A command of `svc` that stays running, with the document that it printed when it was ready. */
export type Running<Ready = unknown> = { ready: Ready; port: number; pid: number };

export type Service = Running<{ url: string }> & { url: string };

export type ServiceOptions = {
  environment?: Record<string, string>;
  args?: string[];
};

/** Requests are logged as in production, but stderr is /dev/null. */
export const logLevel = process.env.LOG_LEVEL ?? "info";

const running: ChildProcess[] = [];

/** Starts the service on a database ("": embedded), with rate limits that measurements do not reach. */
export async function startService(databaseUrl: string, options: ServiceOptions = {}): Promise<Service> {
  const { environment = {}, args = [] } = options;
  const service = await startSvc<{ url: string }>(["serve", "--no-demo", "--port", "0", ...args], {
    ...options,
    environment: {
      DATABASE_URL: databaseUrl,
      REDIS_URL: "",
      LOG_LEVEL: logLevel,
      SHUTDOWN_GRACE_S: "0",
      // The defaults, whatever the environment of the benchmark has.
      CACHE_MB: "",
      WORKERS: "",
      DATABASE_POOL_SIZE: "",
      REST_LIMIT: "1000000",
      MCP_LIMIT: "1000000",
      TICKETING_LIMIT: "1000000",
      ...environment,
    },
  });
  return { ...service, url: service.ready.url };
}

/** Starts a command that prints one JSON document when it is ready. */
export async function startSvc<Ready extends { url: string }>(
  args: string[],
  { environment = {} }: ServiceOptions,
): Promise<Running<Ready>> {
  refuseWhileStopping();
  const child = spawn(process.execPath, [executable, ...args, "--json"], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "ignore"],
  });
  running.push(child);
  let text = "";
  for await (const chunk of child.stdout) {
    text += String(chunk);
    if (!text.endsWith("}\n")) continue;
    const document = JSON.parse(text) as Ready | { error: string };
    if ("error" in document) throw new Error(`svc ${args.join(" ")}: ${document.error}`);
    return { ready: document, port: Number(new URL(document.url).port), pid: child.pid ?? 0 };
  }
  throw new Error(`svc ${args.join(" ")} exited before it was ready: ${text}`);
}

export async function stopServices(): Promise<void> {
  await Promise.all(running.splice(0).map(stopProcess));
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, "close");
  child.kill();
  await closed;
}

/** Runs a command to its end and returns what it printed. */
export async function svc(args: string[], environment: Record<string, string>): Promise<string> {
  refuseWhileStopping();
  const child = spawn(process.execPath, [executable, ...args], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  for await (const chunk of child.stdout) text += String(chunk);
  if (child.exitCode === null && child.signalCode === null) await once(child, "close");
  if (child.exitCode !== 0) throw new Error(`svc ${args.join(" ")} exited with ${child.exitCode}`);
  return text;
}
