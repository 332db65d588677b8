import { join } from "node:path";
import { openJournal } from "./posting-agent/journal.js";
import { createNetworkClient } from "./posting-agent/network-client.js";
import { help, type Options, readCommand } from "./posting-agent/options.js";
import {
  type Agent,
  type Catalogue,
  finishPreviousRun,
  messageOf,
  type Outcome,
  postPoster,
  readCatalogue,
} from "./posting-agent/post-posters.js";
import { createRetryingFetch, createWaiter } from "./posting-agent/retrying-fetch.js";
import { createServiceClient, type KeyInformation } from "./posting-agent/service-client.js";
import { startStandInNetwork } from "./stand-in-network.js";

const command = readCommand(process.argv.slice(2), process.env);
if (command.kind === "help") {
  process.stdout.write(help);
} else if (command.kind === "usage error") {
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
  const print = (text: string) => {
    if (!options.json) process.stdout.write(`${text}\n`);
  };
  const waiter = createWaiter((text) => process.stderr.write(`${text}\n`));
  const retryingFetch = createRetryingFetch(waiter);
  const service = createServiceClient(retryingFetch, waiter, options);

  const key = await service.ping();
  print(
    `Key “${key.name}” is valid (${key.scope}, ${key.expires_at ? `expires ${key.expires_at}` : "does not expire"}).`,
  );
  requireReportPermission(key);

  const started =
    "port" in options.network
      ? await startStandInNetwork(join(options.state, "network"), options.network.port)
      : undefined;
  const address = "url" in options.network ? options.network.url : (started?.url ?? "");
  const journal = openJournal(options.state, options.service, options.platform);
  try {
    const network = createNetworkClient(retryingFetch, address, options.platform);
    const agent: Agent = { service, network, journal, retryingFetch, platform: options.platform };
    const outcomes: Outcome[] = [];
    const { catalogue, stop } = await postAll(agent, options, (outcome) => {
      outcomes.push(outcome);
      if (outcome.outcome !== "skipped") print(formatOutcome(outcome));
    });
    const summary = summarize(outcomes, catalogue, waiter.waitedMs());
    if (options.json) {
      const { service, platform } = options;
      const document = {
        service,
        platform,
        network: address,
        key,
        posters: outcomes,
        summary,
        stopped: stop?.reason ?? null,
      };
      process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
    } else {
      print(`\n${formatSummary(summary, options.platform)}${stop === undefined ? "" : `\nStopped: ${stop.reason}`}`);
      if (started !== undefined)
        print(`To view the posts: npm run stand-in-network -- ${join(options.state, "network")}`);
    }
    return summary.failed + summary.unreported > 0 || stop?.requested === false ? 1 : 0;
  } finally {
    journal.close();
    await started?.close();
  }
}

/** A post cannot be undone, so nothing is posted with a key that cannot report the link. */
function requireReportPermission(key: KeyInformation): void {
  if (key.scopes === null || key.scopes.includes("events:write")) return;
  throw new Error(
    `the key “${key.name}” lacks the scope events:write, which is required to report links. Nothing was posted.\n` +
      "Create an organization key with the scopes conferences:read and events:write and set SVC_KEY to it.",
  );
}

/** Why the run ended before the end of the list; `requested` if the user asked for it. */
type Stop = { reason: string; requested: boolean };

async function postAll(
  agent: Agent,
  { conference, max }: Options,
  done: (outcome: Outcome) => void,
): Promise<PostAllResult> {
  const handled = new Set<string>();
  for await (const outcome of finishPreviousRun(agent)) {
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
        const reason = "posting stops while the service refuses links; the next run reports this link first";
        return { catalogue, stop: { reason, requested: false } };
      }
      if (outcome.outcome === "posted") posted += 1;
      if (posted === max) return { catalogue, stop: { reason: `--max ${max} reached`, requested: true } };
    }
    return { catalogue, stop: undefined };
  } catch (error) {
    return { catalogue, stop: { reason: messageOf(error), requested: false } };
  }
}

type PostAllResult = { catalogue: Catalogue; stop: Stop | undefined };

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

function formatOutcome({ outcome, title, poster_id, url, problem }: Outcome): string {
  const text = [title ?? poster_id, url, problem].filter((part) => part !== null).join(" — ");
  return `${outcome.padEnd(10)}  ${text}`;
}

function formatSummary(summary: Summary, platform: string): string {
  const { conferences, events, posters, posted, linked, skipped, unreported, failed } = summary;
  const parts = [
    `${posted} posted`,
    `${skipped} already had a ${platform} link`,
    ...(linked > 0 ? [`${linked} posted earlier, link reported now`] : []),
    ...(unreported > 0 ? [`${unreported} posted, link not reported`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ];
  const seen = [
    pluralize(conferences, "conference"),
    pluralize(events, "event"),
    pluralize(posters, "published poster"),
  ];
  return `${seen.join(", ")}: ${parts.join(", ")}.`;
}

function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
