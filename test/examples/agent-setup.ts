import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sql from "sql-template-tag";
import { afterAll, expect } from "vitest";
import { listStoredPosts } from "../../examples/stand-in-network.js";
import { type Image, imagePath, imageStore } from "../../src/modules/images/store.js";
import type { Make } from "../support/make.js";
import type { Service } from "../support/service.js";
import { useService } from "../support/setup.js";
import { type InterceptingProxy, type Interceptor, startInterceptingProxy } from "./intercepting-proxy.js";

const program = fileURLToPath(new URL("../../dist/examples/posting-agent.js", import.meta.url));

export type AgentFixture = {
  conference: { id: string; slug: string };
  organization: string;
  key: string;
  /** Published posters without a link, in list order: their ids and the hashes of their images. */
  posters: { id: string; hash: string }[];
  /** The agent's state directory. */
  state: string;
};

/** A running service, and what tests of the posting agent need around it. Everything is removed after the tests. */
export function usePostingAgent() {
  const { service, db, make } = useService();
  const cleanups: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const cleanup of cleanups) await cleanup();
  });

  return {
    service,
    db,
    make,
    cleanups,

    async createFixture(posterCount: number): Promise<AgentFixture> {
      const fixture = await createAgentFixture(service, make, posterCount);
      cleanups.push(() => rm(fixture.state, { recursive: true, force: true }));
      return fixture;
    },

    async proxyTo(target: string, interceptor: Interceptor = {}): Promise<InterceptingProxy> {
      const proxy = await startInterceptingProxy(target, interceptor);
      cleanups.push(proxy.close);
      return proxy;
    },

    /** Each poster was posted exactly once, and the service has a different link for each. */
    async expectAllPostedOnce(fixture: AgentFixture): Promise<void> {
      expect(await storedHashes(networkFolder(fixture))).toEqual(fixture.posters.map(({ hash }) => hash).sort());
      const links = await reportedLinks(service, fixture);
      expect(new Set(links).size).toBe(fixture.posters.length);
      for (const link of links) expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/stand-in\/[0-9a-f]{24}$/);
    },
  };
}

/** A conference with two events, and posters whose images the service serves. */
async function createAgentFixture(service: Service, make: Make, posterCount: number): Promise<AgentFixture> {
  const id = await make.conference();
  const [conference] = await service.db.query<{ id: string; slug: string }>(
    sql`select id, slug from conferences where id = ${id}`,
  );
  if (conference === undefined) throw new Error("the conference was not inserted");
  const organization = await make.organization();
  const events = [
    await make.event(id, { hosts: [organization] }),
    await make.event(id, { hosts: [organization], start_time: "2031-05-02T08:30:00Z" }),
  ];
  await service.db.query(sql`
    update events set venue = 'Casa da Música', venue_address = 'Avenida da Boavista 604', name = 'Night of Agents'
    where conference_id = ${id}`);
  const images = Array.from({ length: posterCount }, createImage);
  await imageStore(service.db).save(images);
  const posters: AgentFixture["posters"] = [];
  for (const [order, image] of images.entries()) {
    const poster = await make.poster(events[order % 2] ?? "", { sort_order: order });
    await service.db.query(sql`
      update posters set image_url = ${service.url + imagePath(image)}, title = ${`Poster ${order}`} where id = ${poster}`);
    posters.push({ id: poster, hash: image.hash });
  }
  const state = await mkdtemp(join(tmpdir(), "posting-agent-"));
  return { conference, organization, key: await make.conferenceKey(id), posters, state };
}

/** Posters that the agent must skip. Their images do not exist, so that a run that does not skip them fails. */
export async function addPostersToSkip(service: Service, make: Make, fixture: AgentFixture, platform: string) {
  const event = await make.event(fixture.conference.id, { hosts: [fixture.organization] });
  const draft = await make.event(fixture.conference.id, { hosts: [fixture.organization], status: "draft" });
  const linked = await make.poster(event);
  await service.db.query(sql`
    update posters set posted_urls = ${JSON.stringify({ [platform]: "https://social.example.com/1" })} where id = ${linked}`);
  await make.poster(event, { published: false });
  await make.poster(draft);
}

export type AgentRun = { child: ChildProcess; finished: Promise<FinishedAgent>; kill(): Promise<void> };
// biome-ignore lint/suspicious/noExplicitAny: tests read the document that the agent prints.
export type FinishedAgent = { code: number | null; stdout: string; stderr: string; json: any };

export function startAgent(fixture: AgentFixture, service: string, args: string[] = [], key = fixture.key): AgentRun {
  const fixed = ["--json", "--state", fixture.state, ...(args.includes("--network") ? [] : ["--network-port", "0"])];
  const child = spawn(process.execPath, [program, service, ...fixed, ...args], {
    env: { PATH: process.env.PATH, SVC_KEY: key },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
      texts[name] += chunk;
    });
  }
  const closed = once(child, "close") as Promise<[number | null]>;
  return {
    child,
    finished: closed.then(([code]) => ({
      code,
      ...texts,
      json: texts.stdout === "" ? undefined : JSON.parse(texts.stdout),
    })),
    async kill() {
      child.kill("SIGKILL");
      await closed;
    },
  };
}

export const runAgent = (...args: Parameters<typeof startAgent>): Promise<FinishedAgent> =>
  startAgent(...args).finished;

export const networkFolder = (fixture: AgentFixture): string => join(fixture.state, "network");

async function storedHashes(folder: string): Promise<string[]> {
  const posts = await listStoredPosts(folder);
  const files = await Promise.all(posts.map(({ image }) => readFile(join(folder, "images", image))));
  return files.map(hashOf).sort();
}

export async function reportedLinks(service: Service, fixture: AgentFixture): Promise<(string | undefined)[]> {
  const { json } = await service.call(
    `/api/svc/posters?published=true&conference_id=${fixture.conference.id}&limit=200`,
    { key: fixture.key },
  );
  const items = json.items as { id: string; posted_urls: Record<string, string> | null }[];
  return fixture.posters.map(({ id }) => items.find((item) => item.id === id)?.posted_urls?.["stand-in"]);
}

function createImage(): Image {
  const bytes = Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    Buffer.from(randomUUID()),
    randomBytes(40_000),
  ]);
  return { bytes, hash: hashOf(bytes), contentType: "image/png" };
}

function hashOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
