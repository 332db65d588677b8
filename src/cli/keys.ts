import { type Command, InvalidArgumentError, Option } from "commander";
import { organizationKeyDays } from "../../contract/nouns.js";
import { line } from "../../contract/schema/fields.js";
import { type Scope, scopes } from "../../contract/scopes.js";
import { type Operator, type Tier, tiers } from "../access/caller.js";
import {
  type CreatedKey,
  createKey,
  findKeyId,
  keyLifetimeDays,
  type ListedKey,
  listKeys,
  type NewKey,
  revokeKey,
} from "../access/key-store.js";
import type { Database, Queryable } from "../infra/database/db.js";
import { uuidPattern } from "../infra/ids.js";
import { keyPrefix } from "../infra/secrets.js";
import { getConferenceId } from "../modules/conferences/store.js";
import { findMemberRole, getOrganizationId } from "../modules/organizations/store.js";
import { getUserByEmail } from "../modules/users/store.js";
import { withDatabase } from "../open-database.js";
import { recordedChange } from "../records/recorded-change.js";
import { parseWith } from "./options.js";
import { bold, dim, print, printable, printJson } from "./output.js";
import { programName } from "./program-name.js";
import { printTable } from "./table.js";

type CreateOptions = {
  tier: Tier;
  name: string;
  conference?: string;
  organization?: string;
  user?: string;
  scopes?: Scope[];
  expiresInDays?: number;
  json?: boolean;
};

export function addKeysCommands(program: Command): void {
  const keys = program
    .command("keys")
    .description("create, list and revoke API keys")
    .addHelpText("after", '\nExample:\n  $ svc keys create --tier super-admin --name "Operations"\n  $ svc keys list');
  keys
    .command("create")
    .description("create a key; it is shown once and not again")
    .addOption(
      new Option("--tier <tier>", "what the key has access to").choices(Object.keys(tiers)).makeOptionMandatory(),
    )
    .requiredOption("--name <name>", "what the key is for", parseWith(line(200)))
    .option("--conference <slug|id>", "the conference of a conference key, or a unique part of its slug or name")
    .option("--organization <slug|id>", "the organization of an organization key")
    .option("--user <email>", "the member that an organization key acts for")
    .option("--scopes <a,b,…>", `scopes of an organization key: ${scopes.join(", ")}`, parseScopes)
    .option(
      "--expires-in-days <days>",
      `lifetime (organization keys: at most and by default ${organizationKeyDays}; others: by default unlimited)`,
      parseDays,
    )
    .option("--json", "print one JSON document")
    .addHelpText(
      "after",
      `
Examples:
  $ svc keys create --tier super-admin --name "Operations"
  $ svc keys create --tier conference --name "Poster bot" --conference meridian-lisbon
  $ svc keys create --tier organization --name "Guest agent" --organization tidewater-labs \\
      --user sofia.almeida@tidewater.example.com --scopes conferences:read,events:write`,
    )
    .action(async (options: CreateOptions, command: Command) => {
      const problem = optionProblem(options);
      if (problem !== undefined) command.error(`error: ${problem}`);
      const created = await withDatabase("keys create", (db, operator) => createRecorded(db, operator, options));
      if (options.json) printJson(created);
      else printCreated(created);
    });
  addListCommand(keys);
  addRevokeCommand(keys);
}

function addListCommand(keys: Command): void {
  keys
    .command("list")
    .description("list all keys, newest first; secrets are not shown")
    .option("--json", "print one JSON document, with ids, scopes and who created each key")
    .addHelpText("after", "\nExample:\n  $ svc keys list")
    .action(async (options: { json?: boolean }) => {
      const rows = await withDatabase("keys list", (db) => listKeys(db), { pending: "refuse" });
      if (options.json) return printJson(rows);
      if (rows.length === 0) return print(`No keys yet. Create one: ${programName} keys create --help`);
      printTable(
        rows.map((row) => ({
          key: `${row.prefix}…`,
          name: row.name,
          reaches: describeReach(row),
          state: row.state,
          expires: row.expires_at?.slice(0, 10) ?? "never",
          last_used: row.last_used_at?.slice(0, 10) ?? "never",
        })),
        { shorten: ["name", "reaches"] },
      );
    });
}

function describeReach({ conference, organization, scopes: granted }: ListedKey): string {
  if (conference !== null) return `conference ${conference}`;
  if (organization === null || granted === null) return "everything";
  const all = granted.length === scopes.length;
  return `${organization}, ${all ? "all scopes" : granted.length === 1 ? granted[0] : `${granted.length} scopes`}`;
}

function addRevokeCommand(keys: Command): void {
  keys
    .command("revoke")
    .description("revoke a key; it is rejected from the next request on")
    .argument("<key>", "the key's id, its first characters as svc keys list shows them, or the whole key", (given) => {
      if (uuidPattern.test(given) || given.startsWith(keyPrefix)) return given;
      throw new InvalidArgumentError(`Expected a key's id (a UUID), or the beginning of a key (${keyPrefix}…).`);
    })
    .option("--json", "print one JSON document")
    .addHelpText(
      "after",
      `
Examples:
  $ svc keys revoke 3f0c2a9e-5b1d-4c55-9a53-0d8f6f4f5f11
  $ svc keys revoke svc_mk_Q7x2k`,
    )
    .action(async (given: string, options: { json?: boolean }) => {
      const row = await withDatabase("keys revoke", async (db, operator) =>
        revokeRecorded(db, operator, await findKeyId(db, given)),
      );
      if (options.json) printJson(row);
      else print(`Revoked ${printable(row.name)} (${row.id}) at ${row.revoked_at}.`);
    });
}

/** Options that do not apply to the tier are rejected rather than ignored. */
function optionProblem(options: CreateOptions): string | undefined {
  const { tier, conference, organization, user, scopes: wanted, expiresInDays = 0 } = options;
  if (tier === "conference" && conference === undefined) return "a conference key needs --conference";
  if (tier !== "conference" && conference !== undefined) return "--conference is for conference keys";
  if (tier === "organization" && (organization === undefined || user === undefined || wanted === undefined)) {
    return "an organization key needs --organization, --user and --scopes";
  }
  if (tier !== "organization" && (organization ?? user ?? wanted) !== undefined) {
    return "--organization, --user and --scopes are for organization keys";
  }
  if (tier === "organization" && expiresInDays > organizationKeyDays) {
    return `an organization key lives at most ${organizationKeyDays} days: use --expires-in-days ${organizationKeyDays} or less`;
  }
  return undefined;
}

type WithoutCommon<Key> = Key extends NewKey ? Omit<Key, "name" | "lifetimeDays"> : never;
type KeyAccess = WithoutCommon<NewKey>;
type RevokedKey = { id: string; name: string; revoked_at: string };

async function createRecorded(db: Database, operator: Operator, options: CreateOptions): Promise<CreatedKey> {
  const lifetimeDays = keyLifetimeDays(options.tier, options.expiresInDays);
  const { result } = await recordedChange(db, operator, async (tx) => {
    const created = await createKey(tx, { ...(await findAccess(tx, options)), name: options.name, lifetimeDays });
    const { key: _, ...after } = created;
    const { json: __, ...request } = options;
    const record = { tool: "svc:keys create", organization_id: created.organization_id, request, after };
    return { result: created, record };
  });
  return result;
}

async function revokeRecorded(db: Database, operator: Operator, id: string): Promise<RevokedKey> {
  const { result } = await recordedChange(db, operator, async (tx) => {
    const { organization_id, was_revoked_at, ...revoked } = await revokeKey(tx, id);
    const record = {
      tool: "svc:keys revoke",
      organization_id,
      request: { id },
      before: { ...revoked, revoked_at: was_revoked_at },
      after: revoked,
    };
    return { result: revoked, record: was_revoked_at === null ? record : null };
  });
  return result;
}

async function findAccess(db: Queryable, options: CreateOptions): Promise<KeyAccess> {
  if (options.tier === "super-admin") return { tier: options.tier, createdBy: null };
  if (options.tier === "conference") {
    return { tier: options.tier, conferenceId: await getConferenceId(db, options.conference ?? ""), createdBy: null };
  }
  const organizationId = await getOrganizationId(db, options.organization ?? "");
  const user = await getUserByEmail(db, options.user ?? "");
  if ((await findMemberRole(db, organizationId, user.id)) === undefined) {
    throw new Error(`${user.email} is not a member of ${options.organization}: an organization key acts for a member`);
  }
  return { tier: options.tier, organizationId, scopes: options.scopes ?? [], createdBy: user.id };
}

function printCreated(created: CreatedKey): void {
  print(`${bold(created.key)}\n`);
  print(`  name     ${printable(created.name)}`);
  print(`  tier     ${created.tier}`);
  if (created.scopes !== null) print(`  scopes   ${created.scopes.join(", ")}`);
  print(`  expires  ${created.expires_at ?? "never"}`);
  print(`  id       ${created.id}\n`);
  print(dim("Save it now: only its hash is stored, and it is not shown again."));
}

function parseScopes(text: string): Scope[] {
  const wanted = new Set(text.split(",").map((part) => part.trim()));
  const known = scopes.filter((name) => wanted.has(name));
  if (known.length < wanted.size) {
    throw new InvalidArgumentError(`Expected a comma-separated list of ${scopes.join(", ")}.`);
  }
  return known;
}

function parseDays(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) < 1) throw new InvalidArgumentError("Expected a number of days.");
  return Number(text);
}
