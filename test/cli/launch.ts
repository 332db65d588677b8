import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { fastStart, withoutGrace, workersFor } from "../support/svc.js";

const executable = fileURLToPath(new URL("../../bin/svc", import.meta.url));

export type LaunchedCommand = {
  child: ChildProcess & { stdout: Readable };
  /** Resolves with everything written to stdout once it contains the text; rejects if the process ends before. */
  until(text: string): Promise<string>;
  /** The same for stderr. */
  untilError(text: string): Promise<string>;
  /** Sends a signal, if one is given, and resolves with the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
  stderr(): string;
};

/** Starts `svc` without waiting for it. */
export function launch(args: string[], env: Record<string, string>): LaunchedCommand {
  const { DATABASE_URL: _, REDIS_URL: __, ...rest } = process.env;
  const child = spawn(process.execPath, [...fastStart, executable, ...args], {
    env: { ...rest, ...withoutGrace, ...workersFor(args, env), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = once(child, "close");
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  async function untilContains(stream: Readable, received: () => string, text: string): Promise<string> {
    while (!received().includes(text)) {
      const [code] = await Promise.race([once(stream, "data"), closed]);
      if (child.exitCode !== null) throw new Error(`svc ${args.join(" ")} ended with ${code}: ${stdout}${stderr}`);
    }
    return received();
  }
  return {
    child,
    stderr: () => stderr,
    until: (text) => untilContains(child.stdout, () => stdout, text),
    untilError: (text) => untilContains(child.stderr, () => stderr, text),
    async end(signal) {
      if (signal !== undefined) child.kill(signal);
      const [code] = await closed;
      return code;
    },
  };
}

/** Starts `svc serve` on an embedded database, as a person would. */
export function launchServe(args: string[], env: Record<string, string>): LaunchedCommand {
  return launch(["serve", ...args], env);
}

/** A port that was free when this function returned. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}
