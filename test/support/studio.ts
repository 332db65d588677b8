import { imageStore } from "../../src/modules/images/store.js";
import { openPosterStudio, type PosterStudio } from "../../src/modules/posters/studio.js";
import type { Queryable } from "../../src/platform/db.js";
import { createImageFetcher, type ImageFetcher } from "../../src/platform/fetch-image.js";
import { createLog } from "../../src/platform/log.js";
import { createPosterRenderer, type PosterRendererOptions } from "../../src/poster-render/poster-renderer.js";
import type { ToolServices } from "../../src/registry.js";

type StudioOverrides = {
  fetcher?: ImageFetcher;
  renderer?: PosterRendererOptions;
};

/** The studio of the service. Its threads start with the first poster and do not keep the process alive. */
export function openTestStudio(
  db: Queryable,
  baseUrl: string,
  { fetcher, renderer }: StudioOverrides = {},
): PosterStudio {
  return openPosterStudio({
    renderer: createPosterRenderer({ timeoutMs: 60_000, ...renderer }),
    fetcher: fetcher ?? createImageFetcher(),
    images: imageStore(db),
    baseUrl,
    log: createLog("silent"),
  });
}

export function testServices(db: Queryable, baseUrl: string): ToolServices {
  return { drawPoster: openTestStudio(db, baseUrl).draw };
}
