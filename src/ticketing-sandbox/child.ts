import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Log } from "../infra/observability/log.js";
import { projectRoot } from "../infra/project-root.js";
import type { SandboxSeed } from "./seed.js";

export type SandboxChild = { url: string; apiKey: string; outboxUrl: string; stop(): Promise<void> };

const executable = fileURLToPath(new URL("dist/src/cli/ticketing-sandbox-main.js", projectRoot));

const readyMessage = z.object({ url: z.string(), api_key: z.string(), outbox_url: z.string() });

/**
 * Starts the sandbox as a child process with its state in `folder`, at first what `buildSeed` returns. Its key is
 * generated at each start and passed over a pipe, where no other process can read it. The child exits when its stdin
 * closes, so also when this process is killed.
 */
export async function startSandboxChild(
  folder: string,
  buildSeed: (() => Promise<SandboxSeed>) | undefined,
  log: Log,
): Promise<SandboxChild> {
  const seed = join(folder, "seed.json");
  if (buildSeed !== undefined && !existsSync(seed)) writeSeed(folder, seed, await buildSeed());
  const files = ["--state", join(folder, "state.jsonl"), ...(existsSync(seed) ? ["--seed", seed] : [])];
  const child = spawn(process.execPath, [executable, "ticketing-sandbox", ...files, "--stop-with-stdin", "--json"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  // The pipe closes when the child exits; nothing is ever written to it.
  child.stdin.on("error", () => {});
  const ready = await readReady(child, child.stdout);
  let stopping = false;
  child.once("exit", (code, signal) => {
    if (!stopping)
      log.error(
        { code, signal },
        "the ticketing sandbox stopped unexpectedly; ticketing requests fail until the service is restarted",
      );
  });
  return {
    url: ready.url,
    apiKey: ready.api_key,
    outboxUrl: ready.outbox_url,
    async stop() {
      stopping = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      child.stdin.end();
      await exited;
    },
  };
}

function writeSeed(folder: string, file: string, seed: SandboxSeed): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.next`, JSON.stringify(seed));
  renameSync(`${file}.next`, file);
}

async function readReady(child: ChildProcess, stdout: NodeJS.ReadableStream): Promise<z.output<typeof readyMessage>> {
  let text = "";
  for await (const chunk of stdout) {
    text += String(chunk);
    if (text.endsWith("}\n")) return readyMessage.parse(JSON.parse(text));
  }
  throw new Error(`the ticketing sandbox did not start (exit code ${child.exitCode})`);
}
