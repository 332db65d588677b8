import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { type Command, Option } from "commander";
import { resetLinkHours } from "../../contract/nouns.js";
import { type Role, roles } from "../../contract/roles.js";
import { email } from "../../contract/schema/fields.js";
import type { Operator } from "../access/caller.js";
import { type Config, loadConfig } from "../config.js";
import type { Database } from "../infra/database/db.js";
import { createLog } from "../infra/observability/log.js";
import { getOrganization, getOrganizationId } from "../modules/organizations/store.js";
import { type CreatedInvitation, createInvitation, recordOf } from "../modules/users/invitation-store.js";
import { createResetLink } from "../modules/users/reset-links.js";
import { addressUnverified, getUserByEmail, isUnverifiedAccount } from "../modules/users/store.js";
import { withDatabase } from "../open-database.js";
import { recordedChange } from "../records/recorded-change.js";
import { createMailer, invitationMail, type Mail } from "../sign-in/mail.js";

import { parseWith } from "./options.js";
import { bold, counted, print, printJson } from "./output.js";

type InviteOptions = { organization?: string; role?: Role; platformAdmin?: true; json?: true };

export function addInviteCommand(users: Command): void {
  users
    .command("invite")
    .description(
      "invite a person to an organization or to administer the platform; prints the link, and mails it if SMTP_URL is set",
    )
    .argument("<email>", "the person's e-mail address", parseWith(email))
    .option("--organization <slug|id>", "the organization that the person joins")
    .addOption(new Option("--role <role>", "the role in the organization").choices([...roles]))
    .option("--platform-admin", "may administer the whole platform")
    .option("--json", "print one JSON document")
    .addHelpText(
      "after",
      `
Examples:
  $ svc users invite ines@example.com --organization tidewater-labs --role owner
  $ svc users invite ops@example.com --platform-admin`,
    )
    .action(async (address: string, options: InviteOptions, command: Command) => {
      const { organization, role, platformAdmin } = options;
      if ((organization === undefined) !== (role === undefined)) {
        command.error("error: --organization and --role belong together");
      }
      if (organization === undefined && !platformAdmin) {
        command.error("error: expected --organization and --role, or --platform-admin");
      }
      const config = loadConfig();
      const invited = await withDatabase("users invite", (db, operator) =>
        invite(db, operator, config, address, options),
      );
      if (invited.unverified) process.stderr.write(`${addressUnverified(address, "").message}.\n`);
      const mailed = await send(config, invitationMail(invited.invitation, invited.organizationName));
      if (options.json) return printJson({ ...invited.invitation, mailed });
      print(`Invited ${address}, until ${invited.invitation.expires_at}. The link works once:\n`);
      print(`  ${bold(invited.invitation.link)}`);
      print(mailed ? "\nIt was mailed too." : "\nSend it to the person: no mail was sent.");
    });
}

async function invite(db: Database, operator: Operator, config: Config, address: string, options: InviteOptions) {
  const { result } = await recordedChange(db, operator, async (tx) => {
    const organizationId =
      options.organization === undefined ? null : await getOrganizationId(tx, options.organization);
    const joins =
      organizationId === null || options.role === undefined
        ? ({ organizationId: null, role: null } as const)
        : { organizationId, role: options.role };
    const inviter = { userId: null, name: operator.name };
    const common = { email: address, inviter, platformAdmin: options.platformAdmin ?? false };
    const invitation: CreatedInvitation = await createInvitation(tx, config.publicUrl, { ...common, ...joins });
    const organizationName = organizationId === null ? null : (await getOrganization(tx, organizationId)).name;
    const unverified = await isUnverifiedAccount(tx, address);
    const stored = recordOf(invitation);
    return {
      result: { invitation, organizationName, unverified },
      record: {
        tool: "svc:users invite",
        organization_id: organizationId,
        request: { invitation_id: stored.id },
        after: stored,
      },
    };
  });
  return result;
}

export function addSetPasswordCommand(users: Command): void {
  users
    .command("set-password")
    .description("set a person's password and end their sessions; asks for it, and never takes it as an argument")
    .argument("<email>", "the person's e-mail address")
    .option("--password-stdin", "read the password from the first line of stdin")
    .option("--json", "print one JSON document")
    .addHelpText(
      "after",
      `
Examples:
  $ svc users set-password ines@example.com
  $ pass show events/ines | svc users set-password ines@example.com --password-stdin`,
    )
    .action(async (address: string, options: { passwordStdin?: true; json?: true }) => {
      // Loaded on demand, because no other command hashes passwords.
      const { setPassword } = await import("../sign-in/passwords.js");
      const password = await (options.passwordStdin ? readPasswordFromStdin() : promptForPassword(address));
      const changed = await withDatabase("users set-password", (db, operator) =>
        setPassword(db, operator, (tx) => getUserByEmail(tx, address), {
          password,
          tool: "svc:users set-password",
          verifiesEmail: true,
        }),
      );
      if (options.json) return printJson(changed);
      print(`Set the password of ${changed.email}; ended ${counted(changed.sessions_ended, "session")}.`);
      const { keys_revoked: keys = [], invitations_withdrawn: invitations = 0, offers_withdrawn: offers = 0 } = changed;
      const { door_links_revoked: links = 0 } = changed;
      if (keys.length + invitations + offers + links > 0) {
        const ended = [
          counted(keys.length, "API key"),
          counted(invitations, "invitation"),
          counted(offers, "offer"),
          counted(links, "door link"),
        ];
        print(`Nobody had verified this address before, so what the account had made ended too: ${ended.join(", ")}.`);
      }
    });
}

export function addResetLinkCommand(users: Command): void {
  users
    .command("reset-link")
    .description("print a link with which a person sets a new password once")
    .argument("<email>", "the person's e-mail address")
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  $ svc users reset-link ines@example.com")
    .action(async (address: string, options: { json?: true }) => {
      const { publicUrl } = loadConfig();
      const { result } = await withDatabase("users reset-link", (db, operator) =>
        recordedChange(db, operator, async (tx) => {
          const user = await getUserByEmail(tx, address);
          const link = await createResetLink(tx, publicUrl, { userId: user.id, createdBy: null });
          return {
            result: { user_id: user.id, email: user.email, link, valid_hours: resetLinkHours },
            record: { tool: "svc:users reset-link", request: { user_id: user.id } },
          };
        }),
      );
      if (options.json) return printJson(result);
      print(`A new password for ${result.email}, with this link, once, within ${resetLinkHours} hours:\n`);
      print(`  ${bold(result.link)}`);
    });
}

export function addUnlinkCommand(users: Command): void {
  users
    .command("unlink")
    .description(
      "end a person's link with an OpenID Connect account, so that another one with the same address can sign in",
    )
    .argument("<email>", "the person's e-mail address")
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  $ svc users unlink ines@example.com")
    .action(async (address: string, options: { json?: true }) => {
      const { unlinkAccounts } = await import("../sign-in/linked-accounts.js");
      const unlinked = await withDatabase("users unlink", (db, operator) => unlinkAccounts(db, operator, address));
      if (options.json) return printJson(unlinked);
      const { email: unlinkedEmail, issuers, sessions_ended } = unlinked;
      if (issuers.length === 0) return print(`${unlinkedEmail} is not linked with an account.`);
      print(
        `${unlinkedEmail} is no longer linked with ${issuers.join(", ")}; ended ${counted(sessions_ended, "session")}.`,
      );
    });
}

async function send(config: Config, mail: Mail): Promise<boolean> {
  return createMailer(config.mail, createLog("warn")).send(mail);
}

const maximumBytes = 4096;

/** The first line of stdin. */
async function readPasswordFromStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin) {
    length += (chunk as Buffer).length;
    if (length > maximumBytes) throw new Error("stdin: expected one line with the password");
    chunks.push(chunk as Buffer);
  }
  const [line = ""] = Buffer.concat(chunks).toString("utf8").split(/\r?\n/);
  if (line === "") throw new Error("stdin: expected one line with the password, but it is empty");
  return line;
}

/** Asks twice at the terminal, without showing what is typed. */
async function promptForPassword(email: string): Promise<string> {
  if (!process.stdin.isTTY) {
    throw new Error("there is no terminal to ask for the password: use --password-stdin and write it to stdin");
  }
  const password = await promptHidden(`New password for ${email}: `);
  if (password !== (await promptHidden("The same again: "))) throw new Error("the two passwords differ");
  return password;
}

async function promptHidden(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const interrupted = new Promise<never>((_, reject) => {
    prompt.once("SIGINT", () => reject(new Error("interrupted: the password was not changed")));
  });
  process.stderr.write(question);
  try {
    return await Promise.race([prompt.question(""), interrupted]);
  } finally {
    prompt.close();
    process.stderr.write("\n");
  }
}
