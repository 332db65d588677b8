import { type Command, InvalidArgumentError } from "commander";
import type { z } from "zod";
import { email, line } from "../declare/fields.js";
import { createUser } from "../modules/users/store.js";
import { print, printJson } from "./output.js";
import { withDatabase } from "./with-database.js";

export function addUsersCommands(program: Command): void {
  const users = program.command("users").description("people who own keys and sign in");
  users
    .command("create")
    .description("add a person")
    .requiredOption("--email <email>", "the person's e-mail address", parseWith(email))
    .requiredOption("--name <name>", "the person's name", parseWith(line(200)))
    .option("--platform-admin", "may administer the whole platform", false)
    .option("--json", "print one JSON document")
    .addHelpText("after", '\nExample:\n  $ svc users create --email ines@example.com --name "Inês Duarte"')
    .action(async (options: { email: string; name: string; platformAdmin: boolean; json?: boolean }) => {
      const user = await withDatabase("users create", (db) =>
        createUser(db, { email: options.email, name: options.name, platform_admin: options.platformAdmin }),
      );
      if (options.json) printJson(user);
      else print(`Added ${user.name} <${user.email}>, id ${user.id}.`);
    });
}

function parseWith(schema: z.ZodType<string>) {
  return (value: string): string => {
    const result = schema.safeParse(value);
    if (!result.success) throw new InvalidArgumentError(`It ${result.error.issues[0]?.message ?? "is not valid"}.`);
    return result.data;
  };
}
