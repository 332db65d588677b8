import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { GeneratorMessage, GeneratorReply } from "../processes/generator.js";
import { replyOf } from "./child-reply.js";
import { onCleanUp } from "./clean-up.js";
import type { Load } from "./generator.js";
import { cpuMicros } from "./process-usage.js";
import type { LoadPlan, RequestPlan } from "./request-plan.js";

/** What one round measured; CPU time is that of the process under load, with its workers. */
export type Sample = {
  perSecond: number;
  cpuMicrosPerRequest: number | null;
  p50Ms: number;
};

/** One side of a comparison. */
export type Side = { measure(milliseconds: number): Promise<Sample> };

export type Target = { port: number; pid: number };

let generator: ChildProcess | undefined;
let plans = 0;

/** The same load on a process, as often as it is measured. */
export function loadOn({ port, pid }: Target, connections: number, requests: RequestPlan[]): Side {
  const plan = plans++;
  send({ kind: "plan", plan, load: { port, connections, requests } satisfies LoadPlan });
  return {
    async measure(milliseconds) {
      const before = cpuMicros(pid);
      const load = await run(plan, milliseconds);
      return sampleOf(load, before, cpuMicros(pid));
    },
  };
}

export function sampleOf(load: Load, cpuBefore: number | null, cpuAfter: number | null): Sample {
  const known = cpuBefore !== null && cpuAfter !== null;
  return {
    perSecond: load.requests / load.seconds,
    cpuMicrosPerRequest: known ? (cpuAfter - cpuBefore) / load.completed : null,
    p50Ms: load.p50Ms,
  };
}

async function run(plan: number, milliseconds: number): Promise<Load> {
  const child = send({ kind: "run", plan, milliseconds });
  const reply = await replyOf<GeneratorReply>(child);
  if ("error" in reply) throw new Error(reply.error);
  return reply.load;
}

function send(message: GeneratorMessage): ChildProcess {
  if (generator === undefined) {
    const child = fork(fileURLToPath(new URL("../processes/generator.js", import.meta.url)), { execArgv: [] });
    onCleanUp(async () => void child.kill());
    generator = child;
  }
  generator.send(message);
  return generator;
}
