import type { Database, Queryable } from "../../src/infra/database/db.js";
import { createImageFetcher, type ImageFetcher } from "../../src/infra/fetch-image.js";
import { createLog } from "../../src/infra/observability/log.js";
import { imageStore } from "../../src/modules/images/store.js";
import { createPosterGenerator, type PosterGenerator } from "../../src/modules/posters/poster-generator.js";
import { createPosterLoader } from "../../src/modules/posters/poster-loader.js";
import { createPosterPreviews } from "../../src/modules/posters/poster-previews.js";
import { createPosterRenderer, type PosterRendererOptions } from "../../src/poster-render/poster-renderer.js";
import type { ToolServices } from "../../src/registry.js";
import { keyDeriver } from "../../src/sign-in/secret-key.js";

type Overrides = {
  fetcher?: ImageFetcher;
  renderer?: PosterRendererOptions;
};

/** Draws for real. Its workers start with the first poster and do not keep the process alive. */
export function createTestPosterGenerator(
  db: Queryable,
  baseUrl: string,
  { fetcher, renderer }: Overrides = {},
): PosterGenerator {
  return createPosterGenerator({
    renderer: createPosterRenderer({ timeoutMs: 60_000, ...renderer }),
    fetcher: fetcher ?? createImageFetcher(),
    images: imageStore(db),
    baseUrl,
    log: createLog("silent"),
  });
}

/** Configured, so that a preview has no reason to write one. */
const testSecret = "a secret for tests, long enough";

export function testPreviews(db: Database, baseUrl: string, drawPoster: PosterGenerator["draw"], now?: () => number) {
  return createPosterPreviews({ db, baseUrl, deriveKey: keyDeriver(testSecret, db), drawPoster }, now);
}

/** One time for all: two previews of the same state are equal. */
const startedAt = Date.now();

export function testServices(db: Database, baseUrl: string): ToolServices {
  const { draw } = createTestPosterGenerator(db, baseUrl);
  return {
    drawPoster: draw,
    loadPoster: createPosterLoader({ fetcher: createImageFetcher(), images: imageStore(db), baseUrl }).load,
    previewUrl: testPreviews(db, baseUrl, draw, () => startedAt).urlOf,
    imageQuotaBytes: 1_000_000_000,
    isDeployed: () => true,
    mailInvitation: async () => false,
  };
}
