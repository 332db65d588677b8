import { createHash } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import { type Command, InvalidArgumentError } from "commander";
import { messageOf } from "../../contract/errors.js";
import { email } from "../../contract/schema/fields.js";
import { type Erasure, erasePerson } from "../modules/users/erase-person.js";
import { withDatabase } from "../open-database.js";
import { archiveRecords } from "../records/archive-records.js";
import { countRecords } from "../records/history.js";
import { announceWait } from "./announce-wait.js";
import { parseWith } from "./options.js";
import { counted, print, printJson, showProgress } from "./output.js";
import { printTable } from "./table.js";

export function addErasePersonCommand(program: Command): void {
  program
    .command("erase-person")
    .description("remove a guest's personal data from registrations and records; counts and the shape of records stay")
    .argument("<email>", "the guest's e-mail address", parseWith(email))
    .option("--confirm", "erase; without it, only what would be erased is shown")
    .option("--json", "print one JSON document")
    .addHelpText(
      "after",
      `
It does not reach backups, exports, archived records or the external ticketing platform: erase there too. It lists where people
have written the address, such as a speaker or the notes of a run of show. For a person who owns keys or belongs to an
organization, run svc users remove first.

Examples:
  $ svc erase-person ana@example.com
  $ svc erase-person ana@example.com --confirm`,
    )
    .action(async (address: string, options: { confirm?: true; json?: true }) => {
      const previewOnly = options.confirm !== true;
      const progress = showProgress();
      const erasure = await withDatabase(
        "erase-person",
        async (db, operator, { sharesSession }) => {
          if (sharesSession) announceWait("Reading", await countRecords(db), "records");
          return erasePerson(db, operator, address, {
            previewOnly,
            onProgress: (records) => progress.update(0, 1, counted(records, "record")),
          });
        },
        { pending: previewOnly ? "refuse" : "apply" },
      ).finally(() => progress.finish());
      if (options.json) return printJson({ erased: !previewOnly, ...erasure });
      printErasure(erasure, previewOnly);
    });
}

function printErasure({ registrations, records, remaining }: Erasure, previewOnly: boolean): void {
  if (registrations.length + records === 0) print("No registration or record contains this address.");
  else {
    const counts = `${counted(registrations.length, "registration")} and ${counted(records, "record")}`;
    print(
      previewOnly
        ? `This person is in ${counts}. Nothing was changed: add --confirm to erase.`
        : `Erased from ${counts}.`,
    );
  }
  if (remaining.length === 0) return;
  print("\nThe address also stands here, where people have written it. It stays: change or remove it there.\n");
  printTable(remaining.map(({ table, id, name }) => ({ table, name, id })));
}

/** Idempotency keys are forgotten with the records: a commit must not be repeated after that. */
const minimumDays = 30;

export function addArchiveRecordsCommand(program: Command): void {
  program
    .command("archive-records")
    .description("move mutation records that are older than a number of days to a file, one JSON document per line")
    .argument("<file>", "a file that does not exist yet")
    .requiredOption("--older-than-days <days>", `at least ${minimumDays}`, parseDays)
    .option("--json", "print one JSON document")
    .addHelpText(
      "after",
      `
The file then has the only copy, readable by its owner: keep it as long as your rules require. The removal is recorded.

Example:
  $ svc archive-records records-2026.jsonl --older-than-days 365`,
    )
    .action(async (file: string, options: { olderThanDays: number; json?: true }) => {
      const archive = await archiveTo(file, options.olderThanDays);
      if (options.json) printJson(archive);
      else if (archive.records === 0) print(`No records are older than ${archive.before}: no file was written.`);
      else print(`Moved ${counted(archive.records, "record")} from before ${archive.before} to ${file}.`);
    });
}

async function archiveTo(file: string, days: number) {
  const handle = await open(file, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      error.code === "EEXIST" ? `${file} exists: choose another file` : `cannot write ${file}: ${error.code}`,
    );
  });
  const target = writerTo(handle);
  try {
    const archive = await withDatabase("archive-records", async (db, operator, { sharesSession }) => {
      if (sharesSession) announceWait("Moving", await countRecords(db, days), "records");
      return archiveRecords(db, operator, days, target);
    });
    return { ...archive, file: target.isComplete() ? file : null };
  } catch (error) {
    if (!target.isComplete()) throw error;
    // If the connection was lost during COMMIT, the file may hold the only copy.
    throw new Error(`${messageOf(error)}. ${file} is kept: check with svc audit whether its records were removed`);
  } finally {
    await handle.close();
    if (!target.isComplete()) await rm(file, { force: true });
  }
}

function writerTo(handle: FileHandle) {
  const digest = createHash("sha256");
  let complete = false;
  return {
    async write(line: string): Promise<void> {
      digest.update(`${line}\n`);
      await handle.write(`${line}\n`);
    },
    async finish(): Promise<{ sha256: string }> {
      await handle.sync();
      complete = true;
      return { sha256: digest.digest("hex") };
    },
    isComplete: () => complete,
  };
}

function parseDays(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) >= minimumDays) return Number(text);
  throw new InvalidArgumentError(`Expected a number of days, at least ${minimumDays}.`);
}
