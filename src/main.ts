import { CommanderError } from "commander";
import { messageOf } from "../contract/errors.js";
import { hasPrinted, printJson } from "./cli/output.js";
import { createProgram } from "./cli/program.js";

// A closed pipe, as after `| head`, does not end the process: a command finishes and the service keeps running. Neither
// does a log that cannot be written, such as one on a full disk.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});
process.stderr.on("error", () => {});

try {
  await (await createProgram(process.argv[2])).parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

function report(error: unknown): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  // With --json, a failure is a document too, for programs; people read the same on stderr.
  if (process.argv.includes("--json") && !hasPrinted()) printJson({ error: messageOf(error).replace(/^error: /, "") });
  // The parser has reported wrong usage itself.
  if (error instanceof CommanderError) return 2;
  for (const line of messageOf(error).split("\n")) process.stderr.write(`svc: ${line}\n`);
  return 1;
}
