import { type Command, Option } from "commander";
import { type Status, statuses } from "../../contract/nouns.js";
import { listConferences, setConferenceStatus } from "../modules/conferences/store.js";
import { withDatabase } from "../open-database.js";
import { print, printable, printJson } from "./output.js";
import { programName } from "./program-name.js";
import { printTable } from "./table.js";

const example =
  "\nExample:\n  $ svc conferences list\n  $ svc conferences set-status meridian-lisbon --status archived";

export function addConferencesCommands(program: Command): void {
  const conferences = program
    .command("conferences")
    .description("list conferences and change their status")
    .addHelpText("after", example);
  conferences
    .command("list")
    .description("list all conferences in any status, by date")
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  $ svc conferences list")
    .action(async (options: { json?: true }) => {
      const rows = await withDatabase("conferences list", (db) => listConferences(db), { pending: "refuse" });
      if (options.json) return printJson(rows);
      if (rows.length === 0) return print(`No conferences yet. Add some: ${programName} import --help`);
      printTable(
        rows.map(({ slug, name, start_date, status, events }) => ({
          slug,
          name,
          starts: start_date,
          status,
          events: String(events),
        })),
        { shorten: ["name"] },
      );
    });
  conferences
    .command("set-status")
    .description("publish, archive or hide a conference with everything in it")
    .argument("<slug|id>", "the conference; a part of its slug or name is enough if no other has it")
    .addOption(statusOption())
    .option("--json", "print one JSON document")
    .addHelpText("after", example)
    .action(async (conference: string, options: { status: Status; json?: true }) => {
      const changed = await withDatabase("conferences set-status", (db, operator) =>
        setConferenceStatus(db, operator, conference, options.status),
      );
      if (options.json) printJson(changed);
      else print(`${printable(changed.name)} (${changed.slug}) is ${changed.status}.`);
    });
}

/** Only approved and published rows are visible to keys. */
export function statusOption(): Option {
  return new Option("--status <status>", "the new status; keys see only approved and published")
    .choices(statuses)
    .makeOptionMandatory();
}
