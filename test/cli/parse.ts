import { type Command, CommanderError } from "commander";
import { createProgram } from "../../src/cli/program.js";
import type { Finished } from "../support/svc.js";

/** The output for invalid arguments or --help, without starting a process. Throws if the command would have run. */
export async function parse(args: string[]): Promise<Finished> {
  const program = await createProgram();
  const output = { stdout: "", stderr: "" };
  for (const command of everyCommand(program)) {
    command.configureOutput({
      writeOut: (text) => {
        output.stdout += text;
      },
      writeErr: (text) => {
        output.stderr += text;
      },
    });
  }
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { code: error.exitCode === 0 ? 0 : 2, ...output };
  }
  throw new Error(`svc ${args.join(" ")}: expected a usage error or help, but the command ran`);
}

/** The program and all its commands, recursively. */
export function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}
