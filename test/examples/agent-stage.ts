import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sql from "sql-template-tag";
import { listStoredPosts, type StoredPost } from "../../examples/stand-in-network.js";
import { type Image, imagePath, imageStore } from "../../src/modules/images/store.js";
import type { Make } from "../support/make.js";
import type { Service } from "../support/service.js";

const program = fileURLToPath(new URL("../../dist/examples/posting-agent.js", import.meta.url));

export type Stage = {
  conference: { id: string; slug: string };
  organization: string;
  key: string;
  /** Published posters without a link, in the order of the list: their ids, and the hashes of their images. */
  posters: { id: string; hash: string }[];
  state: string;
};

/** A conference of the test's own with two events and posters whose images the service serves. */
export async function setStage(service: Service, make: Make, count: number): Promise<Stage> {
  const id = await make.conference();
  const [conference] = await service.db.query<{ id: string; slug: string }>(
    sql`select id, slug from conferences where id = ${id}`,
  );
  if (conference === undefined) throw new Error("the conference is gone");
  const organization = await make.organization();
  const events = [
    await make.event(id, { hosts: [organization] }),
    await make.event(id, { hosts: [organization], start_time: "2031-05-02T08:30:00Z" }),
  ];
  await service.db.query(sql`
    update events set venue = 'Casa da Música', venue_address = 'Avenida da Boavista 604', name = 'Night of Agents'
    where conference_id = ${id}`);
  const images = Array.from({ length: count }, makeImage);
  await imageStore(service.db).save(images);
  const posters: Stage["posters"] = [];
  for (const [order, image] of images.entries()) {
    const poster = await make.poster(events[order % 2] ?? "", { sort_order: order });
    await service.db.query(sql`
      update posters set image_url = ${service.url + imagePath(image)}, title = ${`Poster ${order}`} where id = ${poster}`);
    posters.push({ id: poster, hash: image.hash });
  }
  const state = await mkdtemp(join(tmpdir(), "posting-agent-"));
  return { conference, organization, key: await make.conferenceKey(id), posters, state };
}

/** Posters that the agent has to leave alone; their images do not exist, so that touching one fails. */
export async function addPostersToLeaveAlone(service: Service, make: Make, stage: Stage, platform: string) {
  const event = await make.event(stage.conference.id, { hosts: [stage.organization] });
  const draft = await make.event(stage.conference.id, { hosts: [stage.organization], status: "draft" });
  const linked = await make.poster(event);
  await service.db.query(sql`
    update posters set posted_urls = ${JSON.stringify({ [platform]: "https://social.example.com/1" })} where id = ${linked}`);
  await make.poster(event, { published: false });
  await make.poster(draft);
}

export type AgentRun = { child: ChildProcess; finished: Promise<Finished>; kill(): Promise<void> };
// biome-ignore lint/suspicious/noExplicitAny: tests look into the document that the agent prints.
export type Finished = { code: number | null; stdout: string; stderr: string; json: any };

export function startAgent(stage: Stage, service: string, args: string[] = [], key = stage.key): AgentRun {
  const fixed = ["--json", "--state", stage.state, ...(args.includes("--network") ? [] : ["--network-port", "0"])];
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

export const runAgent = (...args: Parameters<typeof startAgent>): Promise<Finished> => startAgent(...args).finished;

export const networkFolder = (stage: Stage): string => join(stage.state, "network");

export async function storedHashes(folder: string): Promise<string[]> {
  const posts = await listStoredPosts(folder);
  const hashes = await Promise.all(posts.map(async (post) => hashOf(await readFile(imageFile(folder, post)))));
  return hashes.sort();
}

export function imageFile(folder: string, post: StoredPost): string {
  return join(folder, "images", post.image);
}

export async function reportedLinks(
  service: Service,
  stage: Stage,
  platform = "stand-in",
): Promise<(string | undefined)[]> {
  const { json } = await service.call(
    `/api/svc/posters?published=true&conference_id=${stage.conference.id}&limit=200`,
    {
      key: stage.key,
    },
  );
  const items = json.items as { id: string; posted_urls: Record<string, string> | null }[];
  return stage.posters.map(({ id }) => items.find((item) => item.id === id)?.posted_urls?.[platform]);
}

export const removeState = (stage: Stage): Promise<void> => rm(stage.state, { recursive: true, force: true });

function makeImage(): Image {
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
