import { type Command, InvalidArgumentError } from "commander";
import { uuidPattern } from "../infra/ids.js";
import { endAppBecause, listApps } from "../modules/connected-apps/store.js";
import { withDatabase } from "../open-database.js";
import { print, printable, printJson } from "./output.js";
import { printTable } from "./table.js";

export function addAppsCommands(program: Command): void {
  const apps = program
    .command("apps")
    .description("list and disconnect the apps that people have connected by signing in")
    .addHelpText("after", "\nExample:\n  $ svc apps list");
  apps
    .command("list")
    .description("list all connected apps, newest first")
    .option("--json", "print one JSON document, with ids and scopes")
    .addHelpText("after", "\nExample:\n  $ svc apps list")
    .action(async (options: { json?: boolean }) => {
      const rows = await withDatabase("apps list", (db) => listApps(db), { pending: "refuse" });
      if (options.json) return printJson(rows);
      if (rows.length === 0) return print("No connected apps yet. People connect them by signing in, from the app.");
      printTable(
        rows.map((row) => ({
          id: row.id,
          app: row.name,
          person: row.person,
          organization: row.organization,
          state: row.state,
          connected: row.connected_at.slice(0, 10),
          last_used: row.last_used_at?.slice(0, 10) ?? "never",
        })),
        { shorten: ["app", "person"] },
      );
    });
  apps
    .command("revoke")
    .description("disconnect an app; its tokens are rejected from the next request on")
    .argument("<id>", "the id of the connected app, as svc apps list shows it", (given) => {
      if (uuidPattern.test(given)) return given;
      throw new InvalidArgumentError("Expected the id of a connected app (a UUID).");
    })
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  $ svc apps revoke 3f0c2a9e-5b1d-4c55-9a53-0d8f6f4f5f11")
    .action(async (id: string, options: { json?: boolean }) => {
      const ended = await withDatabase("apps revoke", (db, operator) =>
        endAppBecause(db, id, "Disconnected at the command line", operator),
      );
      if (ended === undefined) throw new Error(`no app with the id ${id} is connected: svc apps list shows all`);
      if (options.json) printJson(ended);
      else print(`Disconnected ${printable(ended.name)} of ${ended.connected_by_email} (${ended.id}).`);
    });
}
