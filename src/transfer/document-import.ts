import { raw } from "sql-template-tag";
import type { Actor } from "../access/caller.js";
import { type Database, type Queryable, sqlState } from "../platform/db.js";
import { type ChangeRecord, recordedChange } from "../tools/recorded-change.js";
import {
  applyJoinTable,
  applyRows,
  concurrentChangeError,
  countPlannedRows,
  type ImportCounts,
  lockPlannedRows,
} from "./apply-plan.js";
import type { ImportProblem } from "./check-row.js";
import { findProblems } from "./find-problems.js";
import { createReferenceTable, noScope, planJoinTable, planReferences, planRows } from "./plan-rows.js";
import { type StagedDocument, stageRows } from "./stage-rows.js";
import { type TransferList, type TransferListName, transferListNames, transferLists } from "./transfer-lists.js";

type ImportedLists = Partial<Record<TransferListName, ImportCounts>>;

export type ImportOutcome =
  | { ok: true; lists: ImportedLists }
  | { ok: false; problemCount: number; problems: { path: string; message: string }[] };

export type ImportOptions = {
  /** The name of the document in messages. */
  source: string;
  /** Runs the whole import, then rolls it back. */
  checkOnly: boolean;
  onStep?: (done: number, total: number, label: string) => void;
};

const maximumProblems = 10_000;
const minimumRowsToAnalyze = 1000;

/** An arbitrary number that no other advisory lock in the database uses. */
const importLockNumber = 5_730_002;

/** Imports the whole document in one transaction; if it has problems, nothing is imported and the outcome lists them. */
export async function importDocument(
  db: Database,
  actor: Actor,
  chunks: AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const rollback = new Error("rolled back");
  let outcome: ImportOutcome = { ok: false, problemCount: 0, problems: [] };
  try {
    const change = async (tx: Queryable) => {
      outcome = await importInto(tx, chunks, options);
      if (options.checkOnly || !outcome.ok) throw rollback;
      return { result: outcome, record: recordOf(options.source, outcome.lists) };
    };
    await recordedChange(db, actor, change, { attempts: 1 });
  } catch (error) {
    if (error === rollback) return outcome;
    // All constraints were checked before writing: a violation or a deadlock is caused by a concurrent transaction.
    if (/^(23|40)/.test(sqlState(error) ?? "")) throw concurrentChangeError();
    throw error;
  }
  return outcome;
}

/** Without the rows, which may be many; an import that changes nothing leaves no record. */
function recordOf(source: string, lists: ImportedLists): ChangeRecord | null {
  const changed = Object.values(lists).some(({ added, changed }) => added + changed > 0);
  return changed ? { tool: "svc:import", request: { source }, result: lists } : null;
}

/** Imports within a transaction of the caller, who must roll back unless the outcome is ok. */
export async function importInto(
  tx: Queryable,
  chunks: AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const staged = await stageRows(tx, chunks, { source: options.source, maximumProblems });
  const given = transferLists.filter((list) => staged.rowCounts.has(list.name));
  const steps = given.length * 2 + 1;
  let done = 0;
  const step = (label: string) => options.onStep?.(done++, steps, label);

  await tx.query(raw(`select pg_advisory_xact_lock(${importLockNumber})`));
  await tx.query(raw("set local work_mem = '64MB'; set local jit = off"));
  await createReferenceTable(tx);
  for (const list of transferLists) {
    if (given.includes(list)) step(`comparing ${list.name}`);
    await planList(tx, list, given);
  }
  step("checking");
  const found = await findProblems(tx, given, maximumProblems);
  if (staged.problemCount + found.count > 0) return outcomeWithProblems(staged, found);

  const counts = new Map<TransferListName, ImportCounts>();
  for (const list of given) {
    const counted = await countPlannedRows(tx, list);
    counts.set(list.name, counted);
    await lockPlannedRows(tx, list, counted.changed);
  }
  for (const list of given) {
    step(`writing ${list.name}`);
    const counted = counts.get(list.name);
    if (counted === undefined || counted.added + counted.changed === 0) continue;
    await applyRows(tx, list, counted);
    if (list.joinTable !== null) await applyJoinTable(tx, list, list.joinTable);
    if (counted.added >= minimumRowsToAnalyze) await analyze(tx, list);
  }
  return { ok: true, lists: Object.fromEntries(counts) };
}

/** Plans the rows of a list, unless no row of the document concerns it, and resolves the references to it. */
async function planList(tx: Queryable, list: TransferList, given: TransferList[]): Promise<void> {
  const children = given.filter((other) => other.parent?.list === list.name);
  const isJoined = given.some((other) => other.joinTable?.targetList === list.name);
  if (!given.includes(list) && children.length === 0 && !isJoined) return;
  await planRows(tx, list);
  if (children.length > 0) {
    const references = children.map(
      (child) => `select ${noScope}, data ->> '${child.parent?.field}' from staged_${child.name}`,
    );
    await planReferences(tx, list.name, references.join(" union all "));
  }
  if (list.joinTable !== null && given.includes(list)) await planJoinTable(tx, list, list.joinTable);
}

/** Without fresh statistics, queries and triggers on the grown tables use slow plans until autovacuum runs. */
async function analyze(tx: Queryable, list: TransferList): Promise<void> {
  const tables = [list.name, ...(list.joinTable === null ? [] : [list.joinTable.table]), ...list.derivedTables];
  await tx.query(raw(`analyze ${tables.join(", ")}`));
}

function outcomeWithProblems(
  staged: StagedDocument,
  found: { problems: ImportProblem[]; count: number },
): ImportOutcome {
  const order = (problem: ImportProblem) => transferListNames.indexOf(problem.list);
  const problems = [...staged.problems, ...found.problems]
    .sort((a, b) => order(a) - order(b) || a.n - b.n)
    .slice(0, maximumProblems)
    .map(({ list, n, path, message }) => ({ path: `${list}[${n}]${path}`, message }));
  return { ok: false, problemCount: staged.problemCount + found.count, problems };
}
