import { CommanderError } from "commander";
import { createProgram } from "./cli/program.js";
import { messageOf } from "./platform/errors.js";

// A closed pipe, as after `| head`, does not end the process: a command finishes and the service keeps running.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}

try {
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  for (const line of messageOf(error).split("\n")) process.stderr.write(`svc: ${line}\n`);
  return 1;
}
