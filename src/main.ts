import { createProgram } from "./cli/program.js";
import { messageOf } from "./platform/errors.js";

// A reader that has seen enough, such as head, ends nothing: a command finishes its work and the service stays up.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}

try {
  await createProgram().parseAsync();
} catch (error) {
  for (const line of messageOf(error).split("\n")) process.stderr.write(`svc: ${line}\n`);
  process.exitCode = 1;
}
