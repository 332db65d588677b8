import type { Command } from "commander";
import type { DemoSummary } from "../../demo/load-demo.js";
import { withDatabase } from "../open-database.js";
import { bold, dim, print, printJson, stepPrinter } from "./output.js";

const example = "\nExample:\n  $ DATABASE_URL=postgres://localhost/events svc demo load";

export function addDemoCommands(program: Command): void {
  const demo = program.command("demo").description("demo data").addHelpText("after", example);
  demo
    .command("load")
    .description("load the demo data into an empty database; svc serve does so by itself for an embedded one")
    .option("--json", "print one JSON document")
    .addHelpText("after", example)
    .action(async (options: { json?: true }) => {
      // Loaded on demand, because no other command needs it.
      const { loadDemo } = await import("../../demo/load-demo.js");
      const summary = await withDatabase("demo load", (db, operator) => loadDemo(db, operator, stepPrinter()), {
        create: true,
      });
      if (summary === undefined) throw new Error("the database is not empty: set DATABASE_URL to an empty one");
      if (options.json) printJson(summary);
      else printDemo(summary);
    });
}

export function printDemo(demo: DemoSummary): void {
  const counts = Object.entries(demo.counts).map(([list, count]) => `${count} ${list.replaceAll("_", " ")}`);
  print(`Demo data: ${counts.join(", ")}.`);
  print("Demo keys (not shown again):\n");
  for (const { tier, reaches, key } of demo.keys) print(`  ${tier.padEnd(13)}${bold(key)}  ${dim(reaches)}`);
  print("\nSign in to the console (passwords are not shown again):\n");
  for (const { email, password, can } of demo.people) print(`  ${email}  ${bold(password)}  ${dim(can)}`);
}
