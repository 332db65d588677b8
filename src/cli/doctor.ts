import type { Command } from "commander";
import sql from "sql-template-tag";
import { type Config, readConfig } from "../config.js";
import type { PoolLimits } from "../infra/database/connection-pool.js";
import { type Database, openDatabase, sqlState } from "../infra/database/db.js";
import { exitProcess } from "../infra/exit-process.js";
import { within } from "../infra/within.js";
import { checkEmbeddedDatabase, connect } from "../open-database.js";
import { checks } from "./doctor-checks.js";
import { type Finding, ok, problem, reasonOf, skipped } from "./doctor-findings.js";
import { bold, dim, print, printable, printJson } from "./output.js";
import { withCommandName } from "./program-name.js";

export function addDoctorCommand(program: Command): void {
  program
    .command("doctor")
    .description(
      "find problems in configuration, connections, database, schema, clock, disk, keys and images; changes nothing",
    )
    .option("--json", "print one JSON document")
    .addHelpText("after", help)
    .action(async (options: { json?: true }) => {
      const { findings, close } = await examine();
      if (options.json) printJson(findings);
      else for (const finding of findings) printFinding(finding);
      if (findings.some(({ state }) => state === "problem")) process.exitCode = 1;
      await close();
    });
}

const databaseCheck = { name: "database", finds: "a database that cannot be used" };

function help(): string {
  const all = [
    { name: "configuration", finds: "variables that are wrong" },
    ...checks.config,
    ...[databaseCheck, ...checks.database, ...checks.schema],
  ];
  const lines = all.map(({ name, finds }) => `  ${name.padEnd(17)}  ${finds}`);
  return `
Finds:
${lines.join("\n")}

Each finding has its remedy. What cannot be examined because of another finding is skipped. The exit code is 1 if there is a
problem, and 0 if there are only warnings.

Example:
  $ svc doctor`;
}

export type NamedFinding = { check: string } & Finding;

type Examined = { findings: NamedFinding[]; close(): Promise<void> };

/** Everything at the same time, each with a limit. A check that cannot run is a problem itself, and stops no other. */
async function examine(): Promise<Examined> {
  // Loaded on demand, because only the service and this command need to know the tools.
  const [{ tools }, { allowlistProblem }] = await Promise.all([
    import("../registry.js"),
    import("../runner/availability.js"),
  ]);
  const { config, problems } = readConfig(undefined, {}, (names) => allowlistProblem(tools, names));
  const wrong = new Set(problems.map(({ variable }) => variable));
  const configuration: Finding[] = problems.map(({ text }) => problem(text, "correct this variable"));
  if (problems.length === 0) configuration.push(ok("every variable is valid"));
  const [connections, database] = await Promise.all([
    runAll(checks.config, wrong, { config }, limitMs.others),
    examineDatabase(config, wrong),
  ]);
  return {
    findings: [
      ...configuration.map((finding) => ({ check: "configuration", ...finding })),
      ...connections,
      ...database.findings,
    ],
    close: database.close,
  };
}

/** Reading whole tables may take a while. */
const limitMs = { others: 15_000, data: 60_000 };

type Check<Given> = { name: string; variables: string[]; run(examined: Given): Promise<Finding> };

function runAll<Given>(
  list: Check<Given>[],
  wrong: Set<string>,
  examined: Given,
  timeoutMs: number,
): Promise<NamedFinding[]> {
  return Promise.all(
    list.map(async ({ name, variables, run }) => {
      const variable = variables.find((each) => wrong.has(each));
      const finding = variable === undefined ? run(examined) : Promise.resolve(skipped(`${variable} is wrong`));
      return { check: name, ...(await inTime(timeoutMs, finding).catch(failed)) };
    }),
  );
}

async function examineDatabase(config: Config, wrong: Set<string>): Promise<Examined> {
  const variable = ["DATABASE_URL", "DATA_DIR"].find((each) => wrong.has(each));
  if (variable !== undefined) return withoutDatabase(skipped(`${variable} is wrong`), `${variable} is wrong`);
  let opened: OpenedForDoctor;
  try {
    opened = await inTime(limitMs.others, openForDoctor(config));
  } catch (error) {
    return withoutDatabase(problem(reasonOf(error), remedyFor(error, config)), "the database cannot be used");
  }
  const { db } = opened;
  const found = await runAll(checks.database, wrong, { config, db }, limitMs.others);
  const schema = found.find(({ check }) => check === "schema")?.state;
  const isUsable = schema === "ok" || schema === "warning";
  const data = isUsable
    ? await runAll(checks.schema, wrong, { config, db }, limitMs.data)
    : checks.schema.map(({ name }) => ({ check: name, ...skipped("the schema is not that of this version") }));
  const place = config.databaseUrl === null ? `embedded, in ${config.dataDir}` : hostOf(config.databaseUrl);
  return {
    findings: [{ check: databaseCheck.name, ...ok(`${place}: responds`) }, ...found, ...data],
    // A server that has stopped responding does not confirm the end of a connection either.
    close: () => inTime(closeMs, opened.close()).catch(() => exitProcess(Number(process.exitCode ?? 0))),
  };
}

const closeMs = 5_000;

function withoutDatabase(finding: Finding, reason: string): Examined {
  const others = [...checks.database, ...checks.schema];
  return {
    findings: [
      { check: databaseCheck.name, ...finding },
      ...others.map(({ name }) => ({ check: name, ...skipped(reason) })),
    ],
    close: async () => {},
  };
}

type OpenedForDoctor = { db: Database; close(): Promise<void> };

/** As a service opens it, with the parameters that a pooler may refuse, but with time for slow statements. */
async function openForDoctor(config: Config): Promise<OpenedForDoctor> {
  if (config.databaseUrl === null) checkEmbeddedDatabase(config.dataDir, false);
  const embedded =
    config.databaseUrl === null ? await connect(config, { command: "doctor", mode: "share" }) : undefined;
  const connection = embedded?.connection ?? { connectionString: config.databaseUrl ?? "" };
  const limits = { lookups: limitOf(limitMs.others), reads: limitOf(limitMs.data), changes: limitOf(limitMs.others) };
  // Two of the connections are for changes.
  const db = openDatabase(connection, { poolSize: 6, onIdleError: () => {}, limits });
  const close = async () => {
    await db.close();
    await embedded?.close();
  };
  try {
    await Promise.all([db.lookups, db, db.changes].map((each) => each.query(sql`select 1`)));
  } catch (error) {
    await inTime(closeMs, close()).catch(() => {});
    throw error;
  }
  return { db, close };
}

function limitOf(ms: number): PoolLimits {
  return { acquireMs: 5_000, waiting: 100, lockMs: 5_000, statementMs: ms, useMs: ms };
}

/** What to do about a database that refuses a connection, by the beginning of its state or the text of its error. */
const remedies: [pattern: RegExp, remedy: string][] = [
  [
    /unsupported startup parameter/,
    "add to pgbouncer.ini: ignore_startup_parameters = statement_timeout, lock_timeout, idle_in_transaction_session_timeout, options",
  ],
  [/^28/, "correct the user and password in DATABASE_URL"],
  [/^3D/, "create the database with createdb, or correct its name in DATABASE_URL"],
  [/^53300/, "raise max_connections of the server, or end connections that nobody needs: see pg_stat_activity"],
];

function remedyFor(error: unknown, { databaseUrl }: Config): string {
  const texts = [sqlState(error) ?? "", reasonOf(error)];
  const found = remedies.find(([pattern]) => texts.some((text) => pattern.test(text)));
  if (found !== undefined) return found[1];
  return databaseUrl === null
    ? "start the service once with svc serve, or correct DATA_DIR"
    : "start the database, or correct DATABASE_URL";
}

/** The URL may contain a password, so only host and path are printed. */
function hostOf(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl);
  return `${host}${pathname}`;
}

const inTime = <Result>(limitMs: number, work: Promise<Result>): Promise<Result> =>
  within(limitMs, work, () => {
    throw new Error(`no answer within ${limitMs / 1000} s`);
  });

function failed(error: unknown): Finding {
  return problem(reasonOf(error), "correct the cause and run svc doctor again");
}

const marks = { ok: "ok     ", warning: "warning", problem: "PROBLEM", skipped: "skipped" };
const styles = { ok: (text: string) => text, warning: bold, problem: bold, skipped: dim };

function printFinding({ check, state, finding, remedy }: NamedFinding): void {
  print(`${styles[state](marks[state])}  ${check.padEnd(17)}  ${printable(finding)}`);
  if (remedy !== undefined) print(`${" ".repeat(28)}→ ${withCommandName(remedy)}`);
}
