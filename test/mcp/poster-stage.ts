import { createHash } from "node:crypto";
import sharp from "sharp";
import { afterAll, beforeAll } from "vitest";
import type { PosterGenerator } from "../../src/modules/posters/poster-generator.js";
import { ServiceError } from "../../src/platform/errors.js";
import { tools } from "../../src/registry.js";
import { inputSchemaOf, parseArguments } from "../../src/tools/commit-arguments.js";
import { runTool } from "../../src/tools/run.js";
import { makeEventWorld } from "../support/event-world.js";
import { type PictureHost, respondWith, startPictureHost } from "../support/picture-host.js";
import { createTestPosterGenerator } from "../support/poster-generator.js";
import { publicUrl, type Service, startService } from "../support/service.js";

/** For tests of the poster tools: the service, a poster generator that draws for real, and a host with a photo. */

// biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape.
export type Json = any;
type World = Awaited<ReturnType<typeof makeEventWorld>>;

export const draft = "generate_event_poster_draft";
export const publish = "set_event_poster_publication";
export const workspace = "get_event_asset_workspace";

export let service: Service;
export let host: PictureHost;
export let photo: Buffer;
export let posterGenerator: PosterGenerator;

beforeAll(async () => {
  service = await startService();
  photo = await sharp({ create: { width: 300, height: 400, channels: 3, background: "#c08060" } })
    .composite([{ input: Buffer.from('<svg width="300" height="400"><circle cx="150" cy="150" r="90"/></svg>') }])
    .jpeg()
    .toBuffer();
  host = await startPictureHost({
    "/photo.jpg": respondWith("image/jpeg", photo),
    "/photo.txt": respondWith("text/plain", Buffer.from("not a photo")),
  });
  posterGenerator = createTestPosterGenerator(service.db, publicUrl, { fetcher: host.fetcher() });
});
afterAll(async () => {
  await posterGenerator.close();
  await host.close();
  await service.close();
});

export async function enter() {
  const world = await makeEventWorld(service.db);
  return { world, tool: toolOn(world) };
}

export function toolOn(world: World, drawing: PosterGenerator = posterGenerator) {
  const run = async (name: string, args: object): Promise<Json> => {
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    const parsed = parseArguments(inputSchemaOf(tool), { event_id: world.eventId, ...args });
    const runner = { db: service.db, baseUrl: publicUrl, services: { drawPoster: drawing.draw } };
    return JSON.parse(JSON.stringify(await runTool(runner, { tool, caller: world.caller, parsed })));
  };
  return {
    run,
    async commit(name: string, args: object): Promise<Json> {
      const preview = await run(name, args);
      return run(name, { ...preview.commit_with, reason: "for the test" });
    },
    async refusal(name: string, args: object): Promise<ServiceError> {
      const outcome = await run(name, args).catch((error: unknown) => error);
      if (outcome instanceof ServiceError) return outcome;
      throw new Error(`expected a refusal, got ${JSON.stringify(outcome)}`);
    },
  };
}

export function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
