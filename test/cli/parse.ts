import { type Command, CommanderError } from "commander";
import { createProgram } from "../../src/cli/program.js";
import type { Finished } from "../support/svc.js";

/** What the command line answers to wrong usage or a question for help, without the cost of a process. */
export async function parse(args: string[]): Promise<Finished> {
  const program = createProgram();
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
  throw new Error(`svc ${args.join(" ")} was taken for right and ran`);
}

/** The program, its commands and theirs. */
export function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}
