import { imageStore } from "../../src/modules/images/store.js";
import { createPosterGenerator, type PosterGenerator } from "../../src/modules/posters/poster-generator.js";
import type { Queryable } from "../../src/platform/database/db.js";
import { createImageFetcher, type ImageFetcher } from "../../src/platform/fetch-image.js";
import { createLog } from "../../src/platform/observability/log.js";
import { createPosterRenderer, type PosterRendererOptions } from "../../src/poster-render/poster-renderer.js";
import type { ToolServices } from "../../src/registry.js";

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

export function testServices(db: Queryable, baseUrl: string): ToolServices {
  return {
    drawPoster: createTestPosterGenerator(db, baseUrl).draw,
    imageQuotaBytes: 1_000_000_000,
    mailInvitation: async () => false,
  };
}
