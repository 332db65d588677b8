import type { Command } from "commander";
import { loadConfig } from "../config.js";
import { connect } from "../open-database.js";
import { migrate, newerSchemaNotice } from "../platform/database/migrate.js";
import { print, printJson } from "./output.js";

export function addMigrateCommand(program: Command): void {
  program
    .command("migrate")
    .description("apply pending schema migrations; safe to run from several processes at once")
    .option("--json", "print the result as JSON")
    .addHelpText("after", "\nExample:\n  $ DATABASE_URL=postgres://localhost/events svc migrate")
    .action(async (options: { json?: boolean }) => {
      const opened = await connect(loadConfig(), { command: "migrate", mode: "share" });
      try {
        let newer: string[] = [];
        const applied = await migrate(opened.db, {
          onNewerSchema: (names) => {
            newer = names;
          },
        });
        if (options.json) printJson({ applied, newer });
        else print(applied.length === 0 ? "The schema is up to date." : `Applied ${applied.join(", ")}.`);
        if (!options.json && newer.length > 0) print(`Note: ${newerSchemaNotice(newer)}.`);
      } finally {
        await opened.close();
      }
    });
}
