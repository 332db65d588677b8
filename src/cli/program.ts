import { Command } from "commander";
import { serviceVersion } from "../infra/version.js";
import { printable } from "./output.js";
import { programName, withProgramName } from "./program-name.js";

type AddCommands = (program: Command) => void;

/** In the order of help. Each is loaded on its own: all of them take longer than most commands. */
const loaders: Record<string, () => Promise<AddCommands>> = {
  serve: async () => (await import("./serve.js")).addServeCommand,
  migrate: async () => (await import("./migrate.js")).addMigrateCommand,
  import: async () => (await import("./import.js")).addImportCommand,
  export: async () => (await import("./export.js")).addExportCommand,
  backup: async () => (await import("./backup.js")).addBackupCommand,
  restore: async () => (await import("./backup.js")).addRestoreCommand,
  keys: async () => (await import("./keys.js")).addKeysCommands,
  apps: async () => (await import("./apps.js")).addAppsCommands,
  users: async () => (await import("./users.js")).addUsersCommands,
  conferences: async () => (await import("./conferences.js")).addConferencesCommands,
  events: async () => (await import("./events.js")).addEventsCommands,
  images: async () => (await import("./images.js")).addImagesCommands,
  demo: async () => (await import("./demo.js")).addDemoCommands,
  doctor: async () => (await import("./doctor.js")).addDoctorCommand,
  audit: async () => (await import("./audit.js")).addAuditCommand,
  "erase-person": async () => (await import("./retention.js")).addErasePersonCommand,
  "archive-records": async () => (await import("./retention.js")).addArchiveRecordsCommand,
  "ticketing-sandbox": async () => (await import("./ticketing-sandbox.js")).addTicketingSandboxCommand,
};

/**
 * The program with the named command, or with all of them if there is none with this name. Parsing wrong usage prints the
 * problem on stderr and throws a CommanderError, as printing help does.
 */
export async function createProgram(name?: string): Promise<Command> {
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
  const wanted = Object.hasOwn(loaders, name ?? "") ? [loaders[name ?? ""]] : Object.values(loaders);
  for (const load of wanted) (await load?.())?.(program);
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
