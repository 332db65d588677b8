import { createWriteStream } from "node:fs";
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import { withDatabase } from "../open-database.js";
import { type CleanedRows, type ImportOutcome, importDocument } from "../transfer/document-import.js";
import type { UnverifiedWithRights, Withdrawn } from "../transfer/rights.js";
import { announceLock, announceWait } from "./announce-wait.js";
import { type Progress, print, printable, printJson, showProgress } from "./output.js";
import { openInputFile } from "./output-file.js";
import { printTable } from "./table.js";

const maximumPrintedProblems = 100;
const chunkBytes = 256 * 1024;

export function addImportCommand(program: Command): void {
  program
    .command("import")
    .description("import a JSON document in one transaction; if anything is invalid, nothing is imported")
    .argument("<file>", "path of the document, or - for standard input")
    .option("--check", "validate only: print what would be imported, or all errors")
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      `
Rows are matched by id if given, otherwise by natural key (slug, email, event and name, …): importing the same document
twice changes nothing. Omitted fields keep their stored values.

Example:
  $ svc import --check events.json     validate only
  $ svc import events.json
  $ svc export | DATABASE_URL=postgres://… svc import -`,
    )
    .action(runImport);
}

type ImportCommandOptions = { check?: true; json?: true };

async function runImport(file: string, options: ImportCommandOptions): Promise<void> {
  const source = await openSource(file);
  const progress = showProgress();
  const outcome = await withDatabase(
    "import",
    (db, operator, { embedded, sharesSession }) =>
      importDocument(db, operator, source.read(progress), {
        source: source.name,
        checkOnly: options.check === true,
        exclusive: embedded,
        onStep: (done, total, label) => progress.update(done, total, label),
        onWrite: (rows, locksEvents) => {
          if (sharesSession) announceWait("Writing", rows, "rows");
          else if (locksEvents && !embedded) announceLock(rows);
        },
      }),
    { create: true },
  ).finally(() => {
    progress.finish();
    return source.close();
  });
  if (outcome.ok) {
    warnOfUnverified(outcome.unverified, options);
    warnOfWithdrawn(outcome.withdrawn, options);
  }
  if (options.json) printJson(toJson(outcome, options));
  else if (outcome.ok) {
    if (outcome.cleaned !== undefined) printCleaned(outcome.cleaned);
    printCounts(outcome.lists, options);
  } else printProblems(outcome);
  if (!outcome.ok) process.exitCode = 1;
}

function warnOfUnverified(people: UnverifiedWithRights[], { check }: ImportCommandOptions): void {
  const becomes = check ? "would become" : "is now";
  printLines(
    people.map(
      ({ email, rights }) =>
        `Nobody has verified the address of ${email}, who ${becomes} ${rights.join(", ")}: see "Verified addresses" in docs/sign-in.md.`,
    ),
  );
}

function warnOfWithdrawn(people: Withdrawn[], { check }: ImportCommandOptions): void {
  const become = check ? "would be withdrawn" : "are withdrawn";
  printLines(
    people.flatMap(({ email, invitations, offers }) => [
      ...(invitations.length === 0 ? [] : [`Open invitations by ${email} ${become}: ${invitations.join(", ")}.`]),
      ...(offers.length === 0 ? [] : [`Offers of events by ${email} ${become}: ${namesOfOffers(offers)}.`]),
    ]),
  );
}

const namesOfOffers = (offers: Withdrawn["offers"]) =>
  offers.map(({ event, to }) => `${event.name} to ${to.name}`).join(", ");

type DocumentSource = { name: string; read(progress: Progress): AsyncIterable<Uint8Array>; close(): Promise<void> };

async function openSource(file: string): Promise<DocumentSource> {
  if (file === "-") return openStandardInput();
  const { handle, size } = await openInputFile(file);
  return sourceOf(file, handle, size);
}

/** Buffered in a temporary file: a slow writer must not keep the import transaction open. */
async function openStandardInput(): Promise<DocumentSource> {
  const directory = await mkdtemp(join(tmpdir(), "svc-import-"));
  try {
    const copy = join(directory, "document.json");
    await pipeline(process.stdin, createWriteStream(copy));
    const handle = await open(copy);
    return sourceOf("standard input", handle, (await handle.stat()).size);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function sourceOf(name: string, handle: FileHandle, size: number): DocumentSource {
  const stream = () => handle.createReadStream({ highWaterMark: chunkBytes, autoClose: false });
  return { name, read: (progress) => withProgress(stream(), size, progress), close: () => handle.close() };
}

async function* withProgress(
  chunks: AsyncIterable<Uint8Array>,
  total: number,
  progress: Progress,
): AsyncGenerator<Uint8Array> {
  let done = 0;
  for await (const chunk of chunks) {
    done += chunk.byteLength;
    progress.update(done, Math.max(done, total), `reading ${Math.ceil(done / 1e6)} MB`);
    yield chunk;
  }
}

function toJson(outcome: ImportOutcome, options: ImportCommandOptions): object {
  const checked_only = options.check === true;
  if (outcome.ok) {
    const { lists, withdrawn, cleaned } = outcome;
    return { ok: true, checked_only, lists, withdrawn, ...(cleaned === undefined ? {} : { cleaned }) };
  }
  return { ok: false, checked_only, error_count: outcome.problemCount, errors: outcome.problems };
}

function printCounts(lists: Extract<ImportOutcome, { ok: true }>["lists"], options: ImportCommandOptions): void {
  printTable(
    Object.entries(lists).map(([list, counts]) => ({
      list,
      added: String(counts.added),
      changed: String(counts.changed),
      unchanged: String(counts.unchanged),
    })),
  );
  if (Object.keys(lists).length === 0) print("The document contains no rows.");
  if (options.check) print("Validated only: nothing was imported.");
}

function printCleaned({ count, rows }: CleanedRows): void {
  printLines(describeRows(rows, count));
}

function printProblems({ problems, problemCount }: Extract<ImportOutcome, { ok: false }>): void {
  printLines([...describeRows(problems, problemCount), "Nothing was imported."]);
}

function describeRows(rows: CleanedRows["rows"], count: number): string[] {
  const lines = rows.slice(0, maximumPrintedProblems).map(({ path, message }) => `${path}: ${message}`);
  return count > lines.length ? [...lines, `… and ${count - lines.length} more`] : lines;
}

/** To standard error, because the result is on standard output. */
function printLines(lines: string[]): void {
  for (const line of lines) process.stderr.write(`${printable(line)}\n`);
}
