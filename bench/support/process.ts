import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { replyOf } from "./child-reply.js";
import { refuseWhileStopping } from "./clean-up.js";
import { stopProcess } from "./service.js";

/** A process of bench/processes/, which gets its configuration as a message: mostly what the service is compared with. */
export type BenchProcess = { port: number; pid: number; child: ChildProcess };

const running: ChildProcess[] = [];

export async function startProcess(
  name: string,
  configuration: unknown,
  environment: Record<string, string> = {},
): Promise<BenchProcess> {
  refuseWhileStopping();
  const child = fork(fileURLToPath(new URL(`../processes/${name}.js`, import.meta.url)), {
    execArgv: [],
    env: { ...process.env, ...environment },
  });
  running.push(child);
  child.send({ configuration });
  const { port } = await replyOf<{ port: number }>(child);
  return { port, pid: child.pid ?? 0, child };
}

export async function stopProcesses(): Promise<void> {
  await Promise.all(running.splice(0).map(stopProcess));
}

/** In such a process: what `startProcess` was given. */
export async function readConfiguration<Configuration>(): Promise<Configuration> {
  process.once("disconnect", () => process.exit());
  // Ctrl-C reaches the whole group: the parent ends this process.
  process.on("SIGINT", () => {});
  const [{ configuration }] = (await once(process, "message")) as [{ configuration: Configuration }];
  return configuration;
}

/** In such a process: serves with `node:http` alone. */
export async function serve(listener: RequestListener): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  reportReady((server.address() as AddressInfo).port);
}

export function reportReady(port: number): void {
  process.send?.({ port });
}
