import { createProgram } from "./cli/program.js";
import { messageOf } from "./platform/errors.js";

try {
  await createProgram().parseAsync();
} catch (error) {
  process.stderr.write(`svc: ${messageOf(error)}\n`);
  process.exitCode = 1;
}
