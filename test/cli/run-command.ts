import { CommanderError } from "commander";
import { vi } from "vitest";
import { messageOf } from "../../contract/errors.js";
import { createProgram } from "../../src/cli/program.js";
import type { Finished } from "../support/svc.js";

/**
 * Runs a command in this process, which is much faster than starting `svc`. Not for tests of the executable, of standard
 * input or of signals. Commands cannot run concurrently: they share the environment and the standard streams.
 */
export async function runCommand(args: string[], env: Record<string, string>): Promise<Finished> {
  const output = { stdout: "", stderr: "" };
  const release = [captureStream("stdout", output), captureStream("stderr", output)];
  for (const name of ["DATABASE_URL", "REDIS_URL", "DATA_DIR", "SUDO_USER"]) vi.stubEnv(name, env[name]);
  const { exitCode } = process;
  process.exitCode = undefined;
  try {
    await (await createProgram(args[0])).parseAsync(args, { from: "user" });
    return { code: Number(process.exitCode ?? 0), ...output };
  } catch (error) {
    if (error instanceof CommanderError) return { code: error.exitCode === 0 ? 0 : 2, ...output };
    return { code: 1, ...output, stderr: `${output.stderr}svc: ${messageOf(error)}\n` };
  } finally {
    process.exitCode = exitCode;
    vi.unstubAllEnvs();
    for (const undo of release) undo();
  }
}

function captureStream(name: "stdout" | "stderr", output: Record<typeof name, string>): () => void {
  const stream = process[name];
  const listeners = stream.listeners("error");
  // All that runs in this worker listens to the same streams, and Node would warn of a leak in the output of a command.
  stream.setMaxListeners(0);
  const spy = vi.spyOn(stream, "write").mockImplementation((chunk) => {
    output[name] += String(chunk);
    return true;
  });
  return () => {
    spy.mockRestore();
    // A process ends after one command, so commands do not remove their listeners.
    for (const listener of stream.listeners("error")) {
      if (!listeners.includes(listener)) stream.off("error", listener as () => void);
    }
  };
}
