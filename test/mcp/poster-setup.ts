import { createHash } from "node:crypto";
import sharp from "sharp";
import { beforeAll } from "vitest";
import type { PosterGenerator } from "../../src/modules/posters/poster-generator.js";
import { type PictureHost, respondWith, startPictureHost } from "../support/picture-host.js";
import { createTestPosterGenerator, testPreviews } from "../support/poster-generator.js";
import { publicUrl } from "../support/service.js";
import { useEvent, useService } from "../support/setup.js";
import { createToolRunner } from "../support/tool-runner.js";

// biome-ignore lint/suspicious/noExplicitAny: tests read results of every shape.
export type Json = any;

export const draft = "generate_event_poster_draft";
export const publish = "set_event_poster_publication";
export const update = "update_event_poster";
export const remove = "remove_event_poster";
export const workspace = "get_event_asset_workspace";

export const photo = await sharp({ create: { width: 300, height: 400, channels: 3, background: "#c08060" } })
  .composite([{ input: Buffer.from('<svg width="300" height="400"><circle cx="150" cy="150" r="90"/></svg>') }])
  .jpeg()
  .toBuffer();

/** A service, an event for each test, a poster generator that draws for real, and a host with a photo. */
export function usePosterTools() {
  const { service, db, make } = useService();
  const host = {} as PictureHost;
  const posterGenerator = {} as PosterGenerator;
  beforeAll(async () => {
    const started = await startPictureHost({
      "/photo.jpg": respondWith("image/jpeg", photo),
      "/photo.txt": respondWith("text/plain", Buffer.from("not a photo")),
    });
    const generator = createTestPosterGenerator(db, publicUrl, { fetcher: started.fetcher() });
    Object.assign(host, started);
    Object.assign(posterGenerator, generator);
    return async () => {
      await generator.close();
      await started.close();
    };
  });
  const previewUrl = testPreviews(db, publicUrl, (...args) => posterGenerator.draw(...args)).urlOf;
  const { fixture, tools } = useEvent(db, {
    drawPoster: (...args) => posterGenerator.draw(...args),
    previewUrl,
    imageQuotaBytes: 1_000_000_000,
  });
  return {
    service,
    db,
    make,
    host,
    posterGenerator,
    fixture,
    tools,
    /** The tools with another poster generator. */
    toolsWith: (generator: PosterGenerator, imageQuotaBytes = 1_000_000_000) =>
      createToolRunner(db, { ...fixture }, { drawPoster: generator.draw, previewUrl, imageQuotaBytes }),
  };
}

export function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
