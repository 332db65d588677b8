import { type Command, InvalidArgumentError } from "commander";
import { changesBetween } from "../../contract/changes.js";
import { doorLinkActor } from "../../contract/door-links.js";
import { timestamp } from "../../contract/schema/fields.js";
import type { Queryable } from "../infra/database/db.js";
import { uuidPattern } from "../infra/ids.js";
import { getOrganizationId } from "../modules/organizations/store.js";
import { withDatabase } from "../open-database.js";
import { type RecordEntry, readRecords } from "../records/history.js";
import { isBrokenPipe, print, printable, writerOf } from "./output.js";
import { printTable } from "./table.js";

type AuditOptions = {
  organization?: string;
  event?: string;
  since?: string;
  unfinished?: true;
  limit?: number;
  follow?: true;
  json?: true;
};

export function addAuditCommand(program: Command): void {
  program
    .command("audit")
    .description("list mutation records, oldest first: who changed what, when and why")
    .option("--organization <slug|id>", "only changes made with this organization's keys")
    .option("--event <id>", "only changes to this event", parseEventId)
    .option("--since <time>", "only changes at or after this date or timestamp, such as 2027-03-01", parseSince)
    .option(
      "--unfinished",
      "only ticketing writes without an outcome: being sent, or cut off and to be checked by hand",
    )
    .option("--limit <count>", "only the newest records, at most this many", parseCount)
    .option("--follow", "keep running and print new records as they are made")
    .option("--json", "print one JSON record per line, with the state before and after")
    .addHelpText(
      "after",
      `
Examples:
  $ svc audit --organization tidewater-labs --since 2027-03-01
  $ svc audit --limit 20 --follow
  $ svc audit --unfinished
  $ svc audit --event 3f0c2a9e-5b1d-4c55-9a53-0d8f6f4f5f11 --json`,
    )
    .action((options: AuditOptions) => withDatabase("audit", (db) => audit(db, options), { pending: "refuse" }));
}

async function audit(db: Queryable, options: AuditOptions): Promise<void> {
  const organizationId =
    options.organization === undefined ? undefined : await getOrganizationId(db, options.organization);
  const filter = { organizationId, eventId: options.event, since: options.since, unfinished: options.unfinished };
  const { limit, follow = false } = options;
  const history = readRecords(db, filter, { ...(limit === undefined ? {} : { newest: limit }), follow });
  if (options.json) return printLines(history, JSON.stringify);
  if (follow) return printLines(history, (entry) => Object.values(tableRow(entry)).map(printable).join("  "));
  const rows: Record<string, string>[] = [];
  for await (const entry of history) rows.push(tableRow(entry));
  if (rows.length === 0) print("No matching records.");
  else printTable(rows, { shorten: ["by", "event", "changed", "reason"], width: Number.POSITIVE_INFINITY });
}

async function printLines(history: AsyncIterable<RecordEntry>, toLine: (entry: RecordEntry) => string): Promise<void> {
  const write = writerOf(process.stdout);
  try {
    for await (const entry of history) await write(`${toLine(entry)}\n`);
  } catch (error) {
    if (!isBrokenPipe(error)) throw error;
  }
}

function tableRow(entry: RecordEntry): Record<string, string> {
  return {
    at: entry.at.slice(0, 19).replace("T", " "),
    tool: entry.tool,
    by: actorOf(entry),
    event: truncate(entry.event ?? entry.event_id ?? "", 36),
    changed: truncate(describeChange(entry), 48),
    reason: truncate(entry.reason ?? "", 48),
  };
}

function actorOf({ operator, user, api_key, api_key_id, door_link_id, door_link }: RecordEntry): string {
  if (door_link_id !== null) return doorLinkActor(user, door_link);
  return operator ?? user ?? api_key ?? api_key_id ?? "";
}

function describeChange({ before, after, outcome }: RecordEntry): string {
  if (isObject(outcome)) return "state" in outcome ? Object.values(outcome).join(" ") : describeCounts(outcome);
  if (before === null && after !== null) return "created";
  return changesBetween(before, after)
    .map((change) => change.path)
    .join(", ");
}

/** The rows that an import, the demo or an erasure has written: "13 users, 43 events". */
function describeCounts(counts: Record<string, unknown>): string {
  return Object.entries(counts)
    .map(([list, count]) => [list, rowsOf(count)] as const)
    .filter(([, rows]) => rows > 0)
    .map(([list, rows]) => `${rows} ${list}`)
    .join(", ");
}

function rowsOf(count: unknown): number {
  if (Array.isArray(count)) return count.length;
  return isObject(count) ? Number(count.added) + Number(count.changed) : Number(count);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function truncate(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join("")}…`;
}

function parseEventId(text: string): string {
  if (!uuidPattern.test(text)) throw new InvalidArgumentError("Expected an event id (UUID).");
  return text;
}

function parseCount(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Expected an integer from 1 to 999999.");
}

function parseSince(text: string): string {
  const result = timestamp.safeParse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
  if (!result.success) throw new InvalidArgumentError("Expected a date or an ISO 8601 timestamp with an offset.");
  return result.data;
}
