import { raw } from "sql-template-tag";
import { type Database, type Queryable, sqlState } from "../platform/db.js";
import { applyLinks, applyRows, changedMeanwhile, claimRows, countRows, type ListCounts } from "./apply-plan.js";
import type { Problem } from "./check-row.js";
import { findProblems } from "./find-problems.js";
import { type List, type ListName, listNames, lists } from "./lists.js";
import { createReferenceTable, noScope, planLinks, planReferences, planRows } from "./plan-rows.js";
import { type Staged, stageRows } from "./stage-rows.js";

export type ImportOutcome =
  | { ok: true; lists: Partial<Record<ListName, ListCounts>> }
  | { ok: false; problemCount: number; problems: { path: string; message: string }[] };

export type ImportOptions = {
  /** What the document is called in messages. */
  source: string;
  /** Does all the work, then takes it back. */
  checkOnly: boolean;
  onStep?: (done: number, total: number, label: string) => void;
};

const maximumProblems = 10_000;
const rowsWorthAnalyzing = 1000;

/** Any fixed number will do, as long as nothing else in the database locks it. */
const lockNumber = 5_730_002;

/** Imports a whole document or, when anything in it is wrong, nothing: then all that is wrong is in the outcome. */
export async function importDocument(
  db: Database,
  chunks: AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const rollback = new Error("rolled back");
  let outcome: ImportOutcome = { ok: false, problemCount: 0, problems: [] };
  try {
    await db.transaction(async (tx) => {
      outcome = await importInto(tx, chunks, options);
      if (options.checkOnly || !outcome.ok) throw rollback;
    });
  } catch (error) {
    if (error === rollback) return outcome;
    // Every constraint was checked: one that fails still, or a deadlock, is the work of another transaction.
    if (/^(23|40)/.test(sqlState(error) ?? "")) throw changedMeanwhile();
    throw error;
  }
  return outcome;
}

/** The same within a transaction of the caller, who rolls back unless it went well. */
export async function importInto(
  tx: Queryable,
  chunks: AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const staged = await stageRows(tx, chunks, { source: options.source, maximumProblems });
  const given = lists.filter((list) => staged.rows.has(list.name));
  const steps = given.length * 2 + 1;
  let done = 0;
  const step = (label: string) => options.onStep?.(done++, steps, label);

  await tx.query(raw(`select pg_advisory_xact_lock(${lockNumber})`));
  await tx.query(raw("set local work_mem = '64MB'; set local jit = off"));
  await createReferenceTable(tx);
  for (const list of lists) {
    if (staged.rows.has(list.name)) step(`comparing ${list.name}`);
    await planList(tx, list);
  }
  step("checking");
  const found = await findProblems(tx, given, maximumProblems);
  if (staged.problemCount + found.count > 0) return refusal(staged, found);

  const counts = new Map<ListName, ListCounts>();
  for (const list of given) {
    const counted = await countRows(tx, list);
    counts.set(list.name, counted);
    await claimRows(tx, list, counted.changed);
  }
  for (const list of given) {
    step(`writing ${list.name}`);
    const counted = counts.get(list.name);
    if (counted === undefined || counted.added + counted.changed === 0) continue;
    await applyRows(tx, list, counted);
    if (list.links !== null) await applyLinks(tx, list, list.links);
    if (counted.added >= rowsWorthAnalyzing) await analyze(tx, list);
  }
  return { ok: true, lists: Object.fromEntries(counts) };
}

/** Lists are planned in their order, and then what those after them refer to. */
async function planList(tx: Queryable, list: List): Promise<void> {
  await planRows(tx, list);
  const children = lists.filter((other) => other.parent?.list === list.name);
  if (children.length > 0) {
    const references = children.map(
      (child) => `select ${noScope}, data ->> '${child.parent?.field}' from staged_${child.name}`,
    );
    await planReferences(tx, list.name, references.join(" union all "));
  }
  if (list.links !== null) await planLinks(tx, list, list.links);
}

/** Plans made for small tables would make triggers and readers of the large ones crawl, until the database notices. */
async function analyze(tx: Queryable, list: List): Promise<void> {
  const tables = [list.name, ...(list.links === null ? [] : [list.links.table]), ...list.derivedTables];
  await tx.query(raw(`analyze ${tables.join(", ")}`));
}

function refusal(staged: Staged, found: { problems: Problem[]; count: number }): ImportOutcome {
  const order = (problem: Problem) => listNames.indexOf(problem.list);
  const problems = [...staged.problems, ...found.problems]
    .sort((a, b) => order(a) - order(b) || a.n - b.n)
    .slice(0, maximumProblems)
    .map(({ list, n, path, message }) => ({ path: `${list}[${n}]${path}`, message }));
  return { ok: false, problemCount: staged.problemCount + found.count, problems };
}
