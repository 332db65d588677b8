import { Command } from "commander";
import { serviceVersion } from "../platform/version.js";
import { addAuditCommand } from "./audit.js";
import { addBackupCommand, addRestoreCommand } from "./backup.js";
import { addConferencesCommands } from "./conferences.js";
import { addDemoCommands } from "./demo.js";
import { addDoctorCommand } from "./doctor.js";
import { addEventsCommands } from "./events.js";
import { addExportCommand } from "./export.js";
import { addImagesCommands } from "./images.js";
import { addImportCommand } from "./import.js";
import { addKeysCommands } from "./keys.js";
import { addMigrateCommand } from "./migrate.js";
import { printable } from "./output.js";
import { programName, withProgramName } from "./program-name.js";
import { addRetentionCommands } from "./retention.js";
import { addServeCommand } from "./serve.js";
import { addTicketingSandboxCommand } from "./ticketing-sandbox.js";
import { addUsersCommands } from "./users.js";

/** Parsing wrong usage prints the problem on stderr and throws a CommanderError, as printing help does. */
export function createProgram(): Command {
  const program = new Command("svc")
    .description("Conferences, events and posters for agents and people: one service, one executable.")
    .version(serviceVersion)
    .configureHelp({ showGlobalOptions: false, subcommandTerm: nameAndArguments })
    .configureOutput({
      outputError: (text, write) => write(`svc: ${oneLine(text)}\n`),
      writeOut: (text) => process.stdout.write(withProgramName(text)),
      writeErr: (text) => process.stderr.write(withProgramName(text)),
    })
    .addHelpText(
      "after",
      `
Start here:
  $ svc serve              the service, with demo data on the first start
  $ svc keys create --help
  $ svc keys list`,
    );
  for (const add of [
    addServeCommand,
    addMigrateCommand,
    addImportCommand,
    addExportCommand,
    addBackupCommand,
    addRestoreCommand,
    addKeysCommands,
    addUsersCommands,
    addConferencesCommands,
    addEventsCommands,
    addImagesCommands,
    addDemoCommands,
    addDoctorCommand,
    addAuditCommand,
    addRetentionCommands,
    addTicketingSandboxCommand,
  ]) {
    add(program);
  }
  explainWrongUsage(program, programName);
  return program;
}

function explainWrongUsage(command: Command, path: string): void {
  command.showHelpAfterError(`Try: ${path} --help`);
  command.exitOverride();
  for (const child of command.commands) explainWrongUsage(child, `${path} ${child.name()}`);
}

function oneLine(text: string): string {
  return printable(
    text
      .replace(/^error: /, "")
      .trim()
      .replaceAll("\n", " "),
  );
}

/** Without "[options]", which nearly every command has. */
function nameAndArguments(command: Command): string {
  return [
    command.name(),
    ...command.registeredArguments.map((argument) =>
      argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
    ),
  ].join(" ");
}
