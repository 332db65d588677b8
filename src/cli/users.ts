import type { Command } from "commander";
import { email, line } from "../../contract/schema/fields.js";
import { removeUser } from "../modules/users/remove-user.js";
import { createUser, listUsers } from "../modules/users/store.js";
import { withDatabase } from "../open-database.js";
import { recordedChange } from "../records/recorded-change.js";
import { parseWith } from "./options.js";
import { counted, print, printable, printJson } from "./output.js";
import { programName } from "./program-name.js";
import { printTable } from "./table.js";
import { addInviteCommand, addResetLinkCommand, addSetPasswordCommand, addUnlinkCommand } from "./user-access.js";

const example = '\nExample:\n  $ svc users create --email ines@example.com --name "Inês Duarte"';

export function addUsersCommands(program: Command): void {
  const users = program
    .command("users")
    .description("people who own keys and sign in: add, invite, list and remove them")
    .addHelpText("after", example);
  addListCommand(users);
  addRemoveCommand(users);
  addInviteCommand(users);
  addSetPasswordCommand(users);
  addResetLinkCommand(users);
  addUnlinkCommand(users);
  users
    .command("create")
    .description("add a person")
    .requiredOption("--email <email>", "the person's e-mail address", parseWith(email))
    .requiredOption("--name <name>", "the person's name", parseWith(line(200)))
    .option("--platform-admin", "may administer the whole platform")
    .option("--json", "print one JSON document")
    .addHelpText("after", example)
    .action(async (options: { email: string; name: string; platformAdmin?: true; json?: boolean }) => {
      const request = { email: options.email, name: options.name, platform_admin: options.platformAdmin ?? false };
      const { result: user } = await withDatabase("users create", (db, operator) =>
        recordedChange(db, operator, async (tx) => {
          const created = await createUser(tx, { ...request, email_verified: true });
          return { result: created, record: { tool: "svc:users create", request, after: created } };
        }),
      );
      if (options.json) printJson(user);
      else
        print(
          `Added ${printable(user.name)} <${user.email}>${user.platform_admin ? ", platform administrator" : ""}, id ${user.id}.`,
        );
    });
}

function addListCommand(users: Command): void {
  users
    .command("list")
    .description("list everyone, with their organizations and working keys")
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  $ svc users list")
    .action(async (options: { json?: true }) => {
      const rows = await withDatabase("users list", (db) => listUsers(db), { pending: "refuse" });
      if (options.json) return printJson(rows);
      if (rows.length === 0) return print(`Nobody yet. Add someone: ${programName} users create --help`);
      printTable(
        rows.map((row) => ({
          email: row.email,
          name: row.name,
          organizations: row.organizations.map(({ slug, role }) => `${slug} (${role})`).join(", "),
          keys: String(row.keys),
          notes: [...(row.platform_admin ? ["platform admin"] : []), ...(row.unverified ? ["unverified"] : [])].join(
            ", ",
          ),
        })),
        { shorten: ["name", "organizations"] },
      );
    });
}

function addRemoveCommand(users: Command): void {
  users
    .command("remove")
    .description(
      "remove a person with their memberships, keys and sessions, which are rejected from the next request on",
    )
    .argument("<email>", "the person's e-mail address")
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  $ svc users remove ines@example.com")
    .action(async (address: string, options: { json?: true }) => {
      const removed = await withDatabase("users remove", (db, operator) =>
        removeUser(db, operator, address, ownerAdvice),
      );
      if (options.json) return printJson(removed);
      const organizations = removed.organizations.length === 0 ? "" : `, out of ${removed.organizations.join(", ")}`;
      const { invitations, offers, door_links: links } = removed;
      const offered = offers.map(({ event, to }) => `${event.name} to ${to.name}`).join(", ");
      const ended = [
        counted(removed.keys.length, "key"),
        ...(invitations.length === 0 ? [] : [`open invitations to ${invitations.join(", ")}`]),
        ...(offers.length === 0 ? [] : [`offers of ${offered}`]),
        ...(links.length === 0 ? [] : [counted(links.length, "door link")]),
      ];
      print(
        `Removed ${printable(removed.name)} <${removed.email}>${organizations}, with ${printable(ended.join(" and "))}.`,
      );
    });
}

const ownerAdvice = (slug: string) =>
  `${programName} users invite EMAIL --organization ${slug} --role owner invites one; ` +
  "in the console, an owner can make a member an owner too";
