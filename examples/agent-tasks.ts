// Ten tasks of organizers, carried out over MCP, with the calls and kilobytes that each takes.
import { parseArgs } from "node:util";
import { exitWithUsageError, readConnection } from "./agent-options.js";
import { tasks } from "./tasks/index.js";
import { explanation, formatOutcomes } from "./tasks/report.js";
import { isMet, runTask, type TaskOutcome } from "./tasks/run-task.js";

const help = `Usage: npm run agent-tasks -- [BASE_URL] [options]

Carries out ten tasks on the demo data, checks the outcome of each, undoes it, and prints calls and kilobytes.
SVC_KEY is a key of Tidewater Labs with all scopes, which the first start prints. SVC_PARTNER_KEY is one of
Boréal Commons; without it, T7 makes an offer and withdraws it.

Options:
  --task N     only this task, 1 to ${tasks.length}; can be repeated
  --json       print one JSON document
  --help

Example:
  SVC_KEY=svc_mk_… npm run agent-tasks -- http://127.0.0.1:3000 --task 4

Exit codes: 0 success, 1 a task failed or missed its goal, 2 usage error.
`;

const options = readOptions();
if (options === undefined) process.stdout.write(help);
else process.exitCode = await run(options);

async function run({ service, key, partnerKey, chosen, json }: Options): Promise<number> {
  const outcomes: TaskOutcome[] = [];
  for (const task of chosen) {
    const say = (text: string) => {
      if (!json) console.log(text);
    };
    say(`${task.id} ${task.title}`);
    outcomes.push(await runTask(task, { service, key, partnerKey }, (text) => say(`  ${text}`)));
  }
  if (json) console.log(JSON.stringify(outcomes, null, 2));
  else console.log(`\n${formatOutcomes(outcomes)}\n\n${explanation}`);
  return outcomes.every(isMet) ? 0 : 1;
}

type Options = { service: string; key: string; partnerKey: string | undefined; chosen: typeof tasks; json: boolean };

/** Undefined when help was asked for. */
function readOptions(): Options | undefined {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        task: { type: "string", multiple: true },
        json: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
    if (values.help) return undefined;
    const { service, key } = readConnection(positionals);
    const { SVC_PARTNER_KEY: partnerKey } = process.env;
    const wanted = values.task?.map((text) => text.toUpperCase().replace(/^T?/, "T"));
    const unknown = wanted?.find((id) => !tasks.some((task) => task.id === id));
    if (unknown !== undefined)
      throw new Error(`--task: expected a number from 1 to ${tasks.length}, got ${unknown.slice(1)}`);
    const chosen = tasks.filter(({ id }) => wanted === undefined || wanted.includes(id));
    return { service, key, partnerKey: partnerKey || undefined, chosen, json: values.json };
  } catch (error) {
    exitWithUsageError("agent-tasks", error);
  }
}
