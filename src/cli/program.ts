import { Command } from "commander";
import { addAuditCommand } from "./audit.js";
import { addEventsCommands } from "./events.js";
import { addExportCommand } from "./export.js";
import { addImportCommand } from "./import.js";
import { addKeysCommands } from "./keys.js";
import { addMigrateCommand } from "./migrate.js";
import { addServeCommand } from "./serve.js";
import { addTicketingSandboxCommand } from "./ticketing-sandbox.js";
import { addUsersCommands } from "./users.js";

const wrongUsage = 2;

export function createProgram(): Command {
  const program = new Command("svc")
    .description("Conferences, events and posters for agents and people: one service, one executable.")
    .version("5.0.0")
    .showHelpAfterError("(add --help for what this command takes)")
    .configureHelp({ showGlobalOptions: false })
    .addHelpText(
      "after",
      "\nStart here:\n  $ svc serve              the service, with demo data on the first start\n  $ svc serve --help",
    );
  for (const add of [
    addServeCommand,
    addMigrateCommand,
    addImportCommand,
    addExportCommand,
    addKeysCommands,
    addUsersCommands,
    addAuditCommand,
    addEventsCommands,
    addTicketingSandboxCommand,
  ]) {
    add(program);
  }
  exitOnWrongUsage(program);
  return program;
}

function exitOnWrongUsage(command: Command): void {
  command.exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : wrongUsage));
  for (const child of command.commands) exitOnWrongUsage(child);
}
