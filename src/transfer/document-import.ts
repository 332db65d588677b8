import { raw } from "sql-template-tag";
import { messageOf, ServiceError } from "../../contract/errors.js";
import type { Actor } from "../access/caller.js";
import { type Database, type Queryable, type Session, sqlState } from "../infra/database/db.js";
import { type ChangeRecord, recordedChange } from "../records/recorded-change.js";
import {
  applyJoinTable,
  applyRows,
  buildIndexes,
  checkForeignKeys,
  dropIndexes,
  hasNewMatches,
  type ImportCounts,
  type ListPlan,
  lockEventTables,
  lockPlannedRows,
  lockReferencedRows,
  lockTables,
  renewImages,
  summarizePlan,
} from "./apply-plan.js";
import type { ImportProblem } from "./check-row.js";
import { findProblems } from "./find-problems.js";
import {
  createImportTables,
  dropAbandonedTables,
  onOneState,
  statementByStatement,
  useLargeSets,
} from "./import-tables.js";
import { createReferenceTable, noScope, planJoinTable, planReferences, planRows } from "./plan-rows.js";
import {
  readUnverifiedWithRights,
  readWithdrawn,
  recordWithdrawn,
  type UnverifiedWithRights,
  type Withdrawn,
} from "./rights.js";
import { type StagedDocument, stageRows } from "./stage-rows.js";
import {
  type TransferList,
  type TransferListName,
  tablesOf,
  transferListNames,
  transferLists,
} from "./transfer-lists.js";

type ImportedLists = Partial<Record<TransferListName, ImportCounts>>;

export type ImportOutcome =
  | (Planned & { ok: true; cleaned?: CleanedRows })
  | { ok: false; problemCount: number; problems: RowMessage[] };

type Planned = { lists: ImportedLists; unverified: UnverifiedWithRights[]; withdrawn: Withdrawn[] };

type RowMessage = { path: string; message: string };

/** Rows of which characters were removed: how many, and the first of them. */
export type CleanedRows = { count: number; rows: RowMessage[] };

export type ImportOptions = {
  /** The name of the document in messages. */
  source: string;
  /** Stages and plans the import, but does not write. */
  checkOnly: boolean;
  /** Whether nothing else uses the database during a transaction, as in the embedded one. */
  exclusive?: boolean;
  onStep?: (done: number, total: number, label: string) => void;
  /** Called before rows are written: how many, and whether requests that read events wait meanwhile. */
  onWrite?: (rows: number, locksEvents: boolean) => void;
};

const maximumProblems = 10_000;
const minimumRowsToAnalyze = 1000;

/** An import whose plan was outdated this often locks its tables before it plans again. */
const attemptsWithoutLock = 3;
const maximumAttempts = 6;

/** An arbitrary number that no other advisory lock in the database uses. */
const importLockNumber = 5_730_002;

/**
 * Imports the whole document, or nothing if it has problems, which the outcome lists. It is staged and planned statement
 * by statement without locking any row; one transaction then locks the rows to be changed, writes and records. If stored
 * rows have changed in a way that outdates the plan, the import is planned again from the staged rows.
 */
export async function importDocument(
  db: Database,
  actor: Actor,
  chunks: AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<ImportOutcome> {
  return db.session(async (session) => {
    const tables = createImportTables();
    const unlocked = tables.on(statementByStatement(session));
    try {
      await dropAbandonedTables(session);
      const staged = await stageRows(unlocked, chunks, { source: options.source, maximumProblems });
      for (let attempt = 1; ; attempt++) {
        try {
          const plan = attempt <= attemptsWithoutLock ? await planDocument(unlocked, staged, options) : undefined;
          if (plan !== undefined && !plan.outcome.ok) {
            // The plan has seen several states of the database: what was stored in between can look like a problem.
            await tables.drop(session, "planned");
            const planned = await onOneState(session, (tx) => planDocument(tables.on(tx), staged, options));
            if (!planned.outcome.ok || options.checkOnly) return planned.outcome;
            throw outdatedPlan;
          }
          if (plan !== undefined && options.checkOnly) return plan.outcome;
          let grown: string[] = [];
          const outcome = await writeRecorded(session, actor, options, async (tx) => {
            const work = tables.on(tx);
            if (plan === undefined) await lockTables(tx, givenLists(staged));
            const current = plan ?? (await planDocument(work, staged, options));
            if (!current.outcome.ok) return current.outcome;
            // Read again, because some may have been made since the plan.
            const withdrawn = await readWithdrawn(work, current.given);
            grown = await writePlan(work, current, options);
            await recordWithdrawn(tx, actor, withdrawn);
            return { ...current.outcome, withdrawn };
          });
          // The import is stored; statistics that could not be updated do not make it fail.
          if (outcome.ok) await analyze(unlocked, grown).catch(() => undefined);
          return outcome;
        } catch (error) {
          if (!isConflict(error)) throw error;
          if (attempt === maximumAttempts) throw concurrentChangeError(error);
        }
        await tables.drop(session, "planned");
      }
    } finally {
      // A lost connection has lost its tables, and has been reported.
      await tables.drop(session).catch(() => undefined);
    }
  });
}

/** Imports within a transaction of the caller, who must roll back unless the outcome is ok. */
export async function importInto(
  tx: Queryable,
  chunks: AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const tables = createImportTables();
  const work = tables.on(tx);
  await useLargeSets(tx);
  const plan = await planDocument(
    work,
    await stageRows(work, chunks, { source: options.source, maximumProblems }),
    options,
  );
  if (plan.outcome.ok) {
    await analyze(work, await writePlan(work, plan, options));
    await tables.drop(tx);
  }
  return plan.outcome;
}

type Plan = { given: TransferList[]; lists: Map<TransferListName, ListPlan>; outcome: ImportOutcome };

async function planDocument(work: Queryable, staged: StagedDocument, options: ImportOptions): Promise<Plan> {
  const given = givenLists(staged);
  const lists = new Map<TransferListName, ListPlan>();
  let done = 0;
  const step = (label: string) => options.onStep?.(done++, given.length * 2 + 1, label);
  await createReferenceTable(work);
  for (const list of transferLists) {
    if (given.includes(list)) step(`comparing ${list.name}`);
    await planList(work, list, given);
  }
  step("checking");
  const found = await findProblems(work, given, maximumProblems);
  if (staged.problemCount + found.count > 0) return { given, lists, outcome: outcomeWithProblems(staged, found) };
  for (const list of given) lists.set(list.name, await summarizePlan(work, list));
  const counts = [...lists].map(([name, plan]) => [name, plan.counts]);
  const planned = {
    lists: Object.fromEntries(counts),
    unverified: await readUnverifiedWithRights(work, given),
    withdrawn: await readWithdrawn(work, given),
  };
  return { given, lists, outcome: { ok: true, ...planned, ...cleanedRows(staged) } };
}

/** Returns the grown tables whose statistics are still to be updated, which nobody has to wait for. */
async function writePlan(work: Queryable, { given, lists }: Plan, options: ImportOptions): Promise<string[]> {
  const changes = given.flatMap((list) => {
    const plan = lists.get(list.name);
    return plan === undefined || plan.counts.added + plan.counts.changed === 0 ? [] : [{ list, plan }];
  });
  await work.query(raw(`select pg_advisory_xact_lock(${importLockNumber})`));
  const locked = await lockEventTables(work, changes, options);
  const rows = changes.reduce((total, { plan }) => total + plan.counts.added + plan.counts.changed, 0);
  options.onWrite?.(rows, locked.length > 0);
  for (const { list, plan } of changes) {
    if (!(await lockPlannedRows(work, list, plan.counts.changed))) throw outdatedPlan;
    if (!(await renewImages(work, list))) throw outdatedPlan;
  }
  if (locked.length > 0) await checkForeignKeys(work, locked, "disable");
  let grown: string[] = [];
  for (const [index, { list, plan }] of changes.entries()) {
    options.onStep?.(given.length + 1 + index, given.length * 2 + 1, `writing ${list.name}`);
    if (await hasNewMatches(work, list, plan.counts.added)) throw outdatedPlan;
    // The triggers of the next list read the tables of this one.
    await analyze(work, grown);
    const isLocked = locked.includes(list);
    if (isLocked && !(await lockReferencedRows(work, list, locked))) throw outdatedPlan;
    const dropped = isLocked ? await dropIndexes(work, list, plan) : [];
    if (!(await applyRows(work, list, plan, { isLocked }))) throw outdatedPlan;
    if (list.joinTable !== null) await applyJoinTable(work, list, list.joinTable, { isLocked });
    await buildIndexes(work, dropped);
    grown = plan.counts.added < minimumRowsToAnalyze ? [] : tablesOf(list);
  }
  if (locked.length > 0) await checkForeignKeys(work, locked, "enable");
  return grown;
}

const outdatedPlan = new Error("stored rows have changed since the import was planned");

/** All constraints were checked in the plan: a violation or a deadlock is caused by a concurrent transaction. */
function isConflict(error: unknown): boolean {
  return error === outdatedPlan || /^(23|40)/.test(sqlState(error) ?? "");
}

function concurrentChangeError(error: unknown): ServiceError {
  return new ServiceError(
    "conflict",
    `the database was changed concurrently during the import; nothing was imported: try again (${messageOf(error)})`,
  );
}

async function writeRecorded(
  session: Session,
  actor: Actor,
  options: ImportOptions,
  write: (tx: Queryable) => Promise<ImportOutcome>,
): Promise<ImportOutcome> {
  const rollback = new Error("rolled back");
  let outcome: ImportOutcome | undefined;
  try {
    const change = async (tx: Queryable) => {
      await useLargeSets(tx);
      outcome = await write(tx);
      if (!outcome.ok || options.checkOnly) throw rollback;
      return { result: outcome, record: recordOf(options.source, outcome.lists) };
    };
    return (await recordedChange(session, actor, change, { attempts: 1 })).result;
  } catch (error) {
    if (error === rollback && outcome !== undefined) return outcome;
    throw error;
  }
}

/** Without the rows, which may be many; an import that changes nothing leaves no record. */
function recordOf(source: string, lists: ImportedLists): ChangeRecord | null {
  const changed = Object.values(lists).some(({ added, changed }) => added + changed > 0);
  return changed ? { tool: "svc:import", request: { source }, result: lists } : null;
}

function givenLists(staged: StagedDocument): TransferList[] {
  return transferLists.filter((list) => staged.rowCounts.has(list.name));
}

/** Plans the rows of a list, unless no row of the document concerns it, and resolves the references to it. */
async function planList(work: Queryable, list: TransferList, given: TransferList[]): Promise<void> {
  const children = given.filter((other) => other.parent?.list === list.name);
  const isJoined = given.some((other) => other.joinTable?.targetList === list.name);
  if (!given.includes(list) && children.length === 0 && !isJoined) return;
  await planRows(work, list);
  if (children.length > 0) {
    const references = children.map(
      (child) => `select ${noScope}, data ->> '${child.parent?.field}' from staged_${child.name}`,
    );
    await planReferences(work, list.name, references.join(" union all "));
  }
  if (list.joinTable !== null && given.includes(list)) await planJoinTable(work, list, list.joinTable);
}

/** Without fresh statistics, queries and triggers on the grown tables use slow plans until autovacuum runs. */
async function analyze(work: Queryable, tables: string[]): Promise<void> {
  if (tables.length > 0) await work.query(raw(`analyze ${tables.join(", ")}`));
}

function cleanedRows({ cleaned, cleanedCount: count }: StagedDocument): { cleaned?: CleanedRows } {
  const rows = cleaned.map(({ list, n, message }) => ({ path: `${list}[${n}]`, message }));
  return count === 0 ? {} : { cleaned: { count, rows } };
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
