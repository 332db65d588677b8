import type { Command } from "commander";
import { type Config, loadConfig } from "../config.js";
import { checkEmbeddedDatabase, connect } from "../open-database.js";
import { messageOf } from "../platform/errors.js";
import { configChecks, databaseChecks, type Finding, needSchema } from "./doctor-checks.js";
import { bold, print, printable, printJson } from "./output.js";

export function addDoctorCommand(program: Command): void {
  program
    .command("doctor")
    .description(
      "find problems in configuration, connections, database, schema, clock, disk, keys and images; changes nothing",
    )
    .option("--json", "print one JSON document")
    .addHelpText(
      "after",
      "\nEach finding has its remedy. The exit code is 1 if there is a problem, and 0 if there are only warnings.\n\nExample:\n  $ svc doctor",
    )
    .action(async (options: { json?: true }) => {
      const findings = await examine();
      if (options.json) printJson(findings);
      else for (const finding of findings) printFinding(finding);
      if (findings.some(({ state }) => state === "problem")) process.exitCode = 1;
    });
}

type NamedFinding = { check: string } & Finding;

/** A check that cannot run is a problem itself, and does not keep the others from running. */
async function examine(): Promise<NamedFinding[]> {
  let config: Config;
  try {
    // Loaded on demand, because only the service and this command need to know the tools.
    const [{ tools }, { allowlistProblem }] = await Promise.all([
      import("../registry.js"),
      import("../tools/availability.js"),
    ]);
    config = loadConfig(undefined, {}, (names) => allowlistProblem(tools, names));
  } catch (error) {
    return messageOf(error)
      .split("\n")
      .map((finding) => ({ check: "configuration", state: "problem", finding, remedy: "correct this variable" }));
  }
  const findings: NamedFinding[] = [{ check: "configuration", state: "ok", finding: "every variable is valid" }];
  for (const [check, run] of Object.entries(configChecks)) {
    findings.push({ check, ...(await run({ config }).catch(failed)) });
  }
  return [...findings, ...(await examineDatabase(config))];
}

async function examineDatabase(config: Config): Promise<NamedFinding[]> {
  const findings: NamedFinding[] = [];
  try {
    if (config.databaseUrl === null) checkEmbeddedDatabase(config.dataDir, false);
    const opened = await connect(config, { command: "doctor", mode: "share" });
    try {
      for (const [check, run] of Object.entries(databaseChecks)) {
        const schemaIsComplete = findings.find((finding) => finding.check === "schema")?.state === "ok";
        if (needSchema.has(check) && !schemaIsComplete) continue;
        findings.push({ check, ...(await run({ config, db: opened.db }).catch(failed)) });
      }
    } finally {
      await opened.close();
    }
  } catch (error) {
    const remedy = "start the database, or correct DATABASE_URL or DATA_DIR";
    findings.push({ check: "database", state: "problem", finding: messageOf(error), remedy });
  }
  return findings;
}

function failed(error: unknown): Finding {
  return { state: "problem", finding: messageOf(error), remedy: "correct the cause and run svc doctor again" };
}

const marks = { ok: "ok     ", warning: "warning", problem: "PROBLEM" };

function printFinding({ check, state, finding, remedy }: NamedFinding): void {
  print(`${state === "ok" ? marks.ok : bold(marks[state])}  ${check.padEnd(17)}  ${printable(finding)}`);
  if (remedy !== undefined) print(`${" ".repeat(28)}→ ${remedy}`);
}
