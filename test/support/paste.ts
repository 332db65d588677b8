import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DocBlock } from "./doc-blocks.js";

/** Runs what the documentation says as a newcomer would: pasted into a shell, in a checkout. */

const root = fileURLToPath(new URL("../..", import.meta.url));
const ownFolders = [".git", "data", "posting-agent-state"];

export type Checkout = { folder: string; remove(): void };

/** A folder with the files of this checkout, in which commands can write. */
export function makeCheckout(): Checkout {
  const folder = mkdtempSync(join(tmpdir(), "svc-paste-"));
  for (const name of readdirSync(root)) {
    if (!ownFolders.includes(name)) symlinkSync(join(root, name), join(folder, name));
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** What `npm ci` installs is there already, and a response with an error fails its command. */
const shellStart = `
set -euo pipefail
npm() { [ "$1" = ci ] || command npm "$@"; }
curl() { command curl --no-progress-meter --fail-with-body "$@"; }
`;

export type Shell = {
  child: ChildProcess;
  stdout: () => string;
  stderr: () => string;
  /** Resolves with everything on stdout once it matches; rejects if the shell ends before. */
  until(pattern: RegExp): Promise<string>;
  /** Ends the shell and all that it has started. */
  end(): Promise<void>;
};

/** Starts a shell that runs the script. Services are those that `env` names. */
export function startShell(script: string, cwd: string, env: Record<string, string>): Shell {
  const { DATABASE_URL: _, REDIS_URL: __, ...rest } = process.env;
  const child = spawn("bash", ["-c", shellStart + script], {
    cwd,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...rest, ...env },
  });
  const closed = once(child, "close");
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (chunk: string) => {
      texts[name] += chunk;
    });
  }
  return {
    child,
    stdout: () => texts.stdout,
    stderr: () => texts.stderr,
    async until(pattern) {
      while (!pattern.test(texts.stdout)) {
        await Promise.race([once(child.stdout as NonNullable<ChildProcess["stdout"]>, "data"), closed]);
        if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${texts.stdout}${texts.stderr}`);
      }
      return texts.stdout;
    },
    async end() {
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
      await closed;
    },
  };
}

export type Pasted = { block: DocBlock; stdout: string };

const mark = "\u001e";

/**
 * Pastes blocks into one shell, so that variables of one are known to the next, and resolves with what each has printed.
 * Rejects with the place of the first that fails.
 */
export async function paste(
  blocks: DocBlock[],
  cwd: string,
  env: Record<string, string>,
  fill: (code: string) => string,
): Promise<Pasted[]> {
  const shell = startShell(blocks.map(({ code }) => `printf '${mark}'\n${fill(code)}`).join("\n"), cwd, env);
  const [code] = (await once(shell.child, "close")) as [number | null];
  const outputs = shell.stdout().split(mark).slice(1);
  if (code !== 0) {
    const failed = blocks[outputs.length - 1];
    throw new Error(`${failed?.place} ended with ${code}:\n${failed?.code}\n${outputs.at(-1)}\n${shell.stderr()}`);
  }
  return blocks.map((block, index) => ({ block, stdout: outputs[index] ?? "" }));
}
