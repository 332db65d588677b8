import { type Subject, writeCaption } from "./caption.js";
import type { Journal } from "./journal.js";
import { downloadImage, type NetworkClient } from "./network-client.js";
import type { RetryingFetch } from "./retrying-fetch.js";
import type { Conference, EventSummary, Poster, ServiceClient } from "./service-client.js";

export type Agent = {
  service: ServiceClient;
  network: NetworkClient;
  journal: Journal;
  retryingFetch: RetryingFetch;
  platform: string;
};

/**
 * `posted`: uploaded and reported in this run. `linked`: the post existed already, only its link was reported.
 * `skipped`: the service already has a link. `unreported`: the post exists, but the service refused the link.
 */
export type Outcome = {
  poster_id: string;
  title: string | null;
  outcome: "posted" | "linked" | "skipped" | "unreported" | "failed";
  url: string | null;
  problem: string | null;
  image: { bytes: number; content_type: string; sha256: string } | null;
};

export type Catalogue = { conferences: Map<string, Conference>; events: Map<string, EventSummary> };

/** Steps 2 and 3: the conferences visible to the key (or the requested one) and their events. */
export async function readCatalogue(service: ServiceClient, slug: string | undefined): Promise<Catalogue> {
  const all: Conference[] = [];
  for await (const conference of service.conferences()) all.push(conference);
  const wanted = slug === undefined ? all : all.filter((conference) => conference.slug === slug);
  if (slug !== undefined && wanted.length === 0) {
    const names = all.map((conference) => conference.slug).join(", ");
    throw new Error(`conference ${slug} is not visible to this key; visible: ${names || "none"}`);
  }
  const catalogue: Catalogue = { conferences: new Map(), events: new Map() };
  for (const conference of wanted) {
    catalogue.conferences.set(conference.id, conference);
    for await (const event of service.events(conference.id)) catalogue.events.set(event.id, event);
  }
  return catalogue;
}

/** Reports posts of an interrupted run that exist on the network but were not reported to the service. */
export async function* finishPreviousRun(agent: Agent): AsyncGenerator<Outcome> {
  for (const { posterId, step } of agent.journal.unfinished()) {
    const poster = { id: posterId, title: null };
    try {
      const url = "url" in step ? step.url : await agent.network.find(clientTokenOf(posterId));
      // If there is no post, the poster is still in the list and is posted from there.
      if (url !== undefined) yield await report(agent, poster, url, "linked", null);
    } catch (error) {
      yield failed(poster, error);
    }
  }
}

/** Steps 5 to 7 for one poster. */
export async function postPoster(agent: Agent, subject: Subject): Promise<Outcome> {
  const { journal, network, platform, retryingFetch } = agent;
  const { poster } = subject;
  const link = poster.posted_urls?.[platform];
  if (link !== undefined) return { ...baseOutcome(poster), outcome: "skipped", url: link };
  try {
    const known = journal.find(poster.id);
    // The link was reported and has been removed since: report it again, do not post again.
    if (known !== undefined && "url" in known) return await report(agent, poster, known.url, "linked", null);
    const image = await downloadImage(retryingFetch, poster.image_url);
    const { text, altText } = writeCaption(subject, platform);
    journal.write(poster.id, { state: "intent" });
    const post = await network.post({ image, caption: text, altText, clientToken: clientTokenOf(poster.id) });
    const { bytes, contentType, sha256 } = image;
    return await report(agent, poster, post.url, post.created ? "posted" : "linked", {
      bytes: bytes.length,
      content_type: contentType,
      sha256,
    });
  } catch (error) {
    return failed(poster, error);
  }
}

async function report(
  { service, journal, platform }: Agent,
  poster: Pick<Poster, "id" | "title">,
  url: string,
  outcome: "posted" | "linked",
  image: Outcome["image"],
): Promise<Outcome> {
  journal.write(poster.id, { state: "posted", url });
  const base = { ...baseOutcome(poster), url, image };
  try {
    const result = await service.report(poster.id, platform, url);
    if (result.kind === "reported") {
      journal.write(poster.id, { state: "reported", url });
      return { ...base, outcome };
    }
    // A deleted poster needs no link; after any other refusal the next run retries.
    if (result.status === 404) {
      journal.write(poster.id, { state: "dropped" });
      return { ...base, outcome: "failed", problem: "the poster has been deleted" };
    }
    return { ...base, outcome: "unreported", problem: result.problem };
  } catch (error) {
    return { ...base, outcome: "unreported", problem: messageOf(error) };
  }
}

/** The same in every run, so that the network recognizes a poster even if the journal is lost. */
function clientTokenOf(posterId: string): string {
  return `poster-${posterId}`;
}

function failed(poster: Pick<Poster, "id" | "title">, error: unknown): Outcome {
  return { ...baseOutcome(poster), outcome: "failed", problem: messageOf(error) };
}

function baseOutcome(poster: Pick<Poster, "id" | "title">) {
  return { poster_id: poster.id, title: poster.title, url: null, problem: null, image: null };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
