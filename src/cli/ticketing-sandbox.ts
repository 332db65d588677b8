import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError } from "commander";
import { messageOf } from "../platform/errors.js";
import { randomToken } from "../platform/ids.js";
import { applySeed, parseSeed } from "../ticketing-sandbox/seed.js";
import { startSandbox } from "../ticketing-sandbox/server.js";
import { openState } from "../ticketing-sandbox/state.js";
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
    .description("a stand-in of the external ticketing platform, on this machine; it sends no e-mail")
    .option("--port <number>", "where it listens, on 127.0.0.1; 0 takes a free one", wholeNumber(65_535), 0)
    .option("--state <file>", "where it keeps its state; without it everything is forgotten at the end")
    .option("--seed <file>", "events to begin with; those that it has already are left as they are")
    .option("--key <key>", "the platform key that it asks for; without it a new one is made and shown")
    .option(
      "--limit <number>",
      "requests a minute before it blocks the key for a minute; 0: none",
      wholeNumber(1e9),
      200,
    )
    .option("--latency <ms>", "how long an answer takes, on average", wholeNumber(60_000), 0)
    .option("--stop-with-stdin", "end when standard input ends, as it does with the program that started it")
    .option("--json", "print one JSON document when it is ready")
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
  const state = openState(options.state ?? null);
  const surroundings = {
    state,
    now: () => new Date(),
    newId: (prefix: string) => `${prefix}-${randomToken().slice(0, 15)}`,
  };
  if (seed !== undefined) applySeed(seed, surroundings);
  const apiKey = options.key ?? randomToken();
  const sandbox = await startSandbox({
    ...surroundings,
    port: options.port,
    apiKey,
    requestsAMinute: options.limit === 0 ? null : options.limit,
    latencyMs: options.latency,
  }).catch((error: unknown) => {
    throw new Error(`cannot listen on port ${options.port}: ${messageOf(error)}`);
  });
  const stop = () => sandbox.close().then(() => process.exit(0));
  process.on("SIGTERM", stop);
  // Ctrl-C reaches a whole terminal: who started this one may still need it for requests that are under way.
  process.on("SIGINT", options.stopWithStdin ? () => {} : stop);
  if (options.stopWithStdin) process.stdin.on("end", stop).on("error", stop).resume();
  const ready = { url: sandbox.url, api_key: apiKey, outbox_url: sandbox.outboxUrl, events: state.events.size };
  if (options.json) return printJson(ready);
  print(`${bold("Ticketing sandbox")} is ready at ${bold(ready.url)} with ${ready.events} events`);
  print(`  TICKETING_URL=${ready.url}\n  TICKETING_API_KEY=${ready.api_key}\n  outbox: ${ready.outbox_url}`);
  print(dim("Ctrl-C stops it."));
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`cannot read ${file}: ${(error as NodeJS.ErrnoException).code}`);
  }
}

function wholeNumber(maximum: number): (text: string) => number {
  return (text) => {
    if (/^\d{1,10}$/.test(text) && Number(text) <= maximum) return Number(text);
    throw new InvalidArgumentError(`It expects a whole number from 0 to ${maximum}.`);
  };
}
