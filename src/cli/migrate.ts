import type { Command } from "commander";
import { migrate, newerSchemaNotice } from "../infra/database/migrate.js";
import { withDatabase } from "../open-database.js";
import { print, printJson } from "./output.js";

export function addMigrateCommand(program: Command): void {
  program
    .command("migrate")
    .description("apply pending schema migrations; safe to run from several processes at once")
    .option("--offline", "let migrations take as long as they need, while no service uses the database")
    .option("--json", "print the result as JSON")
    .addHelpText("after", "\nExample:\n  $ DATABASE_URL=postgres://localhost/events svc migrate")
    .action(async (options: { json?: true; offline?: true }) => {
      let newer: string[] = [];
      const onNewerSchema = (names: string[]) => {
        newer = names;
      };
      const applied = await withDatabase(
        "migrate",
        (db) => migrate(db, { onNewerSchema, offline: options.offline === true }),
        {
          create: true,
          pending: "ignore",
        },
      );
      if (options.json) return printJson({ applied, newer });
      print(applied.length === 0 ? "The schema is up to date." : `Applied ${applied.join(", ")}.`);
      if (newer.length > 0) print(`Note: ${newerSchemaNotice(newer)}.`);
    });
}
