import type { Command } from "commander";
import { createUser } from "../modules/users/store.js";
import { withDatabase } from "../open-database.js";
import { email, line } from "../schema/fields.js";
import { recordedChange } from "../tools/recorded-change.js";
import { parseWith } from "./options.js";
import { print, printable, printJson } from "./output.js";

const example = '\nExample:\n  $ svc users create --email ines@example.com --name "Inês Duarte"';

export function addUsersCommands(program: Command): void {
  const users = program.command("users").description("people who own keys and sign in").addHelpText("after", example);
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
          const created = await createUser(tx, request);
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
