import { parseArgs } from "node:util";
import { connectAgent, figuresOf } from "./agent-client.js";
import { exitWithUsageError, readConnection } from "./agent-options.js";
import { formatPreview } from "./organizer-agent/format-preview.js";
import { hostTaskTools, runHostTask } from "./organizer-agent/host-task.js";

const help = `Usage: npm run organizer-agent -- [BASE_URL] [options]

An organizer's agent on the MCP endpoint: moves the keynote to Hall 2, adds Ada as a speaker, approves the first ten
pending guests, draws and publishes a poster, and publishes the run of show. It shows the preview of every change before
it commits it. A second run finds nothing to change, except guests who registered meanwhile.
The organization key is read from the environment variable SVC_KEY.

Options:
  --all-tools   read the whole list of tools instead of those that the task needs
  --json        print one JSON document
  --help

Example:
  SVC_KEY=svc_mk_… npm run organizer-agent -- http://127.0.0.1:3000

Exit codes: 0 success, 1 a change failed, 2 usage error.
`;

const options = readOptions();
if (options === undefined) {
  process.stdout.write(help);
} else {
  try {
    await run(options);
  } catch (error) {
    process.stderr.write(`organizer-agent: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

async function run({ service, key, allTools, json }: Options): Promise<void> {
  const print = (text: string) => {
    if (!json) console.log(text);
  };
  const agent = await connectAgent({
    service,
    key,
    tools: allTools ? [] : hostTaskTools,
    showPreview: (name, preview) => print(formatPreview(name, preview)),
  });
  try {
    const outcome = await runHostTask(agent);
    const { traffic } = agent;
    const figures = figuresOf(traffic);
    if (json) {
      console.log(JSON.stringify({ ...outcome, ...figures, traffic }, null, 2));
      return;
    }
    console.table(traffic.map(({ call, received, text, images }) => ({ call, received, text, images })));
    print(`${outcome.event}: changed by ${outcome.changed.join(", ") || "nothing"}`);
    if (outcome.imageUrl !== undefined) print(`Poster: ${outcome.imageUrl}`);
    print(
      `${figures.calls} calls of tools, ${(figures.received / 1000).toFixed(1)} KB received, with the list of tools`,
    );
  } finally {
    await agent.close();
  }
}

type Options = { service: string; key: string; allTools: boolean; json: boolean };

/** Undefined when help was asked for. */
function readOptions(): Options | undefined {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        "all-tools": { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
    if (values.help) return undefined;
    const { service, key } = readConnection(positionals);
    return { service, key, allTools: values["all-tools"], json: values.json };
  } catch (error) {
    exitWithUsageError("organizer-agent", error);
  }
}
