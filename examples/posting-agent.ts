import { join } from "node:path";
import { openJournal } from "./posting-agent/journal.js";
import { createNetworkClient } from "./posting-agent/network-client.js";
import { help, type Options, readCommand } from "./posting-agent/options.js";
import { createPatientFetch, createWaiting } from "./posting-agent/patient-fetch.js";
import {
  type Agent,
  type Catalogue,
  finishEarlierRun,
  messageOf,
  type Outcome,
  postPoster,
  readCatalogue,
} from "./posting-agent/post-posters.js";
import { createServiceClient, type KeyInformation } from "./posting-agent/service-client.js";
import { startStandInNetwork } from "./stand-in-network.js";

const command = readCommand(process.argv.slice(2), process.env);
if (command.kind === "help") {
  process.stdout.write(help);
} else if (command.kind === "wrong usage") {
  process.stderr.write(`posting-agent: ${command.problem}\nTry --help.\n`);
  process.exitCode = 2;
} else {
  try {
    process.exitCode = await run(command.options);
  } catch (error) {
    process.stderr.write(`posting-agent: ${messageOf(error)}\n`);
    process.exitCode = 1;
  }
}

async function run(options: Options): Promise<number> {
  const say = (text: string) => {
    if (!options.json) process.stdout.write(`${text}\n`);
  };
  const waiting = createWaiting((text) => process.stderr.write(`… ${text}\n`));
  const patientFetch = createPatientFetch(waiting);
  const service = createServiceClient(patientFetch, waiting, options);

  const key = await service.ping();
  say(
    `The key “${key.name}” is valid (${key.scope}, ${key.expires_at ? `until ${key.expires_at}` : "without an end"}).`,
  );
  requireReporting(key);

  const started =
    "port" in options.network
      ? await startStandInNetwork(join(options.state, "network"), options.network.port)
      : undefined;
  const address = "url" in options.network ? options.network.url : (started?.url ?? "");
  const journal = openJournal(options.state, options.service, options.platform);
  try {
    const network = createNetworkClient(patientFetch, address, options.platform);
    const agent: Agent = { service, network, journal, patientFetch, platform: options.platform };
    const outcomes: Outcome[] = [];
    const { catalogue, stop } = await work(agent, options, (outcome) => {
      outcomes.push(outcome);
      if (outcome.outcome !== "skipped") say(describe(outcome));
    });
    const summary = summarize(outcomes, catalogue, waiting.waitedMs());
    if (options.json) {
      const { service, platform } = options;
      const document = {
        service,
        platform,
        network: address,
        key,
        posters: outcomes,
        summary,
        stopped: stop?.why ?? null,
      };
      process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
    } else {
      say(`\n${sentence(summary, options.platform)}${stop === undefined ? "" : `\nStopped: ${stop.why}`}`);
      if (started !== undefined)
        say(`To look at the posts: npm run stand-in-network -- ${join(options.state, "network")}`);
    }
    return summary.failed + summary.unreported > 0 || stop?.wanted === false ? 1 : 0;
  } finally {
    journal.close();
    await started?.close();
  }
}

/** A post cannot be taken back, so a key that can never report one does not get to make one. */
function requireReporting(key: KeyInformation): void {
  if (key.scopes === null || key.scopes.includes("events:write")) return;
  throw new Error(
    `the key “${key.name}” lacks the scope events:write, so links could not be reported back. Nothing was posted.\n` +
      "Make an organization key with the scopes conferences:read and events:write, and set SVC_KEY to it.",
  );
}

/** Why the run ended before the list did; `wanted` when the user asked for it. */
type Stop = { why: string; wanted: boolean };

async function work(agent: Agent, { conference, max }: Options, done: (outcome: Outcome) => void): Promise<Work> {
  const handled = new Set<string>();
  for await (const outcome of finishEarlierRun(agent)) {
    handled.add(outcome.poster_id);
    done(outcome);
  }
  const catalogue = await readCatalogue(agent.service, conference);
  const conferenceId = conference === undefined ? undefined : [...catalogue.conferences.keys()][0];
  let posted = 0;
  try {
    for await (const poster of agent.service.publishedPosters(conferenceId)) {
      if (handled.has(poster.id)) continue;
      const event = catalogue.events.get(poster.event_id);
      const subject = { poster, event, conference: catalogue.conferences.get(poster.conference_id ?? "") };
      const outcome = await postPoster(agent, subject);
      done(outcome);
      if (outcome.outcome === "unreported") {
        const why = "no more is posted while links are refused; the next run reports this one first";
        return { catalogue, stop: { why, wanted: false } };
      }
      if (outcome.outcome === "posted") posted += 1;
      if (posted === max) return { catalogue, stop: { why: `--max ${max} is reached`, wanted: true } };
    }
    return { catalogue, stop: undefined };
  } catch (error) {
    return { catalogue, stop: { why: messageOf(error), wanted: false } };
  }
}

type Work = { catalogue: Catalogue; stop: Stop | undefined };

type Summary = Record<Outcome["outcome"] | "conferences" | "events" | "posters" | "waited_seconds", number>;

function summarize(outcomes: Outcome[], catalogue: Catalogue, waitedMs: number): Summary {
  const count = (kind: Outcome["outcome"]) => outcomes.filter(({ outcome }) => outcome === kind).length;
  return {
    conferences: catalogue.conferences.size,
    events: catalogue.events.size,
    posters: outcomes.length,
    posted: count("posted"),
    linked: count("linked"),
    skipped: count("skipped"),
    unreported: count("unreported"),
    failed: count("failed"),
    waited_seconds: Math.round(waitedMs / 1000),
  };
}

function describe({ outcome, title, poster_id, url, problem }: Outcome): string {
  const text = [title ?? poster_id, url, problem].filter((part) => part !== null).join(" — ");
  return `${outcome.padEnd(10)}  ${text}`;
}

function sentence(summary: Summary, platform: string): string {
  const { conferences, events, posters, posted, linked, skipped, unreported, failed } = summary;
  const parts = [
    `${posted} posted`,
    `${skipped} had a link for ${platform}`,
    ...(linked > 0 ? [`${linked} posted before and linked now`] : []),
    ...(unreported > 0 ? [`${unreported} posted but not reported`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ];
  const seen = [counted(conferences, "conference"), counted(events, "event"), counted(posters, "published poster")];
  return `${seen.join(", ")}: ${parts.join(", ")}.`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
