import { type Command, InvalidArgumentError } from "commander";
import { endAppBecause, type ListedApp, listApps } from "../modules/connected-apps/store.js";
import { withDatabase } from "../open-database.js";
import { print, printable, printJson } from "./output.js";
import { printTable } from "./table.js";

/** Of an id, in lists. */
const shownId = 8;

const isConnected = ({ id, ended_at }: ListedApp, given: string) => ended_at === null && id.startsWith(given);

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
          id: row.id.slice(0, shownId),
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
    .argument("<id>", "the id of the connected app, or its beginning as svc apps list shows it", (given) => {
      if (new RegExp(`^[0-9a-f-]{${shownId},36}$`, "i").test(given)) return given.toLowerCase();
      throw new InvalidArgumentError("Expected the id of a connected app, or its first eight characters.");
    })
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  $ svc apps revoke 3f0c2a9e")
    .action(async (given: string, options: { json?: boolean }) => {
      const ended = await withDatabase("apps revoke", async (db, operator) => {
        const [id, another] = (await listApps(db)).filter((app) => isConnected(app, given)).map((app) => app.id);
        if (another !== undefined) throw new Error(`several connected apps begin with ${given}: give more of the id`);
        return id === undefined ? undefined : endAppBecause(db, id, "Disconnected at the command line", operator);
      });
      if (ended === undefined) throw new Error(`no app with the id ${given} is connected: svc apps list shows all`);
      if (options.json) printJson(ended);
      else print(`Disconnected ${printable(ended.name)} of ${ended.connected_by_email} (${ended.id}).`);
    });
}
