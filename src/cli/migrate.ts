import type { Command } from "commander";
import { withDatabase } from "../open-database.js";
import { migrate, newerSchemaNotice } from "../platform/database/migrate.js";
import { print, printJson } from "./output.js";

export function addMigrateCommand(program: Command): void {
  program
    .command("migrate")
    .description("apply pending schema migrations; safe to run from several processes at once")
    .option("--json", "print the result as JSON")
    .addHelpText("after", "\nExample:\n  $ DATABASE_URL=postgres://localhost/events svc migrate")
    .action(async (options: { json?: boolean }) => {
      let newer: string[] = [];
      const onNewerSchema = (names: string[]) => {
        newer = names;
      };
      const applied = await withDatabase("migrate", (db) => migrate(db, { onNewerSchema }), {
        create: true,
        migrate: false,
      });
      if (options.json) return printJson({ applied, newer });
      print(applied.length === 0 ? "The schema is up to date." : `Applied ${applied.join(", ")}.`);
      if (newer.length > 0) print(`Note: ${newerSchemaNotice(newer)}.`);
    });
}
