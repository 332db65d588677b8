import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError } from "commander";
import { messageOf } from "../../contract/errors.js";
import { exitProcess } from "../infra/exit-process.js";
import { randomToken } from "../infra/ids.js";
import { leaveSignalsToParent, stopSignals } from "../infra/stop-signals.js";
import { applySeed, parseSeed } from "../ticketing-sandbox/seed.js";
import { startSandbox } from "../ticketing-sandbox/server.js";
import { openSandboxState } from "../ticketing-sandbox/state.js";
import { bold, dim, print, printJson } from "./output.js";

type SandboxCommand = {
  port: number;
  state?: string;
  seed?: string;
  key?: string;
  limit: number;
  latency: number;
  stopWithStdin?: true;
  json?: true;
};

export function addTicketingSandboxCommand(program: Command): void {
  program
    .command("ticketing-sandbox")
    .description("run a local stand-in for the external ticketing platform; it sends no e-mail")
    .option("--port <number>", "port to listen on, on 127.0.0.1; 0 picks a free one", integerUpTo(65_535), 0)
    .option("--state <file>", "file to keep the state in (default: in memory only)")
    .option("--seed <file>", "JSON file with events to add; events already in the state are left unchanged")
    .option("--key <key>", "API key that requests must present (default: generated and printed)")
    .option(
      "--limit <number>",
      "requests per minute; exceeding it blocks the key for a minute; 0 disables it",
      integerUpTo(1e9),
      200,
    )
    .option("--latency <ms>", "average response time in milliseconds", integerUpTo(60_000), 0)
    .option("--stop-with-stdin", "exit when stdin closes, as it does when the parent process ends")
    .option("--json", "print one JSON document when ready")
    .addHelpText(
      "after",
      `
Example:
  $ svc ticketing-sandbox --port 4010 --state sandbox.jsonl --seed events.json --key local-platform-key
  $ TICKETING_URL=http://127.0.0.1:4010/v1 TICKETING_API_KEY=local-platform-key svc serve`,
    )
    .action(runSandbox);
}

async function runSandbox(options: SandboxCommand): Promise<void> {
  const seed = options.seed === undefined ? undefined : parseSeed(readText(options.seed), options.seed);
  const state = openSandboxState(options.state ?? null);
  const context = {
    state,
    now: () => new Date(),
    newId: (prefix: string) => `${prefix}-${randomToken().slice(0, 15)}`,
  };
  if (seed !== undefined) applySeed(seed, context);
  const apiKey = options.key ?? randomToken();
  const sandbox = await startSandbox({
    ...context,
    port: options.port,
    apiKey,
    requestsPerMinute: options.limit === 0 ? null : options.limit,
    latencyMs: options.latency,
  }).catch((error: unknown) => {
    throw new Error(`cannot listen on port ${options.port}: ${messageOf(error)}`);
  });
  const stop = () => sandbox.close().then(() => exitProcess(0));
  if (options.stopWithStdin) {
    leaveSignalsToParent();
    process.stdin.on("end", stop).on("error", stop).resume();
  } else for (const signal of stopSignals) process.on(signal, stop);
  const ready = { url: sandbox.url, api_key: apiKey, outbox_url: sandbox.outboxUrl, events: state.events.size };
  if (options.json) return printJson(ready);
  print(`${bold("Ticketing sandbox")} is ready at ${bold(ready.url)} with ${ready.events} events`);
  print(`  TICKETING_URL=${ready.url}\n  TICKETING_API_KEY=${ready.api_key}\n  outbox: ${ready.outbox_url}`);
  print(dim("Press Ctrl-C to stop."));
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`cannot read ${file}: ${(error as NodeJS.ErrnoException).code}`);
  }
}

function integerUpTo(maximum: number): (text: string) => number {
  return (text) => {
    if (/^\d{1,10}$/.test(text) && Number(text) <= maximum) return Number(text);
    throw new InvalidArgumentError(`Expected an integer from 0 to ${maximum}.`);
  };
}
