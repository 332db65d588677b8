import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import { ServiceError } from "../../platform/errors.js";
import type { FetchedImage, ImageFetcher } from "../../platform/fetch-image.js";
import type { Log } from "../../platform/log.js";
import type { PosterInput } from "../../poster-render/poster-input.js";
import { type PosterRenderer, posterRenderFailureOf } from "../../poster-render/poster-renderer.js";
import { hashInPath, type ImageStore } from "../images/store.js";
import { photoLimits, posterFormat, posterTemplate } from "./designs.js";
import type { DrawnImage, DrawnPoster, PosterJob } from "./poster-job.js";

export type PosterGenerator = {
  draw(job: PosterJob): Promise<DrawnPoster>;
  /** Posters that are being drawn, and that wait for it. */
  usage(): { active: number; queued: number };
  close(): Promise<void>;
};

export type PosterGeneratorDependencies = {
  renderer: PosterRenderer;
  fetcher: ImageFetcher;
  images: ImageStore;
  baseUrl: string;
  log: Log;
};

/** A poster holds up to 13 pictures in memory while it is drawn: the limits bound memory and open connections. */
const maximumConcurrent = 4;
const maximumQueued = 32;
/** Long enough to review a preview, so that its commit reuses the drawing. */
const cacheMs = 300_000;
/** A missing picture may become available soon. */
const incompleteCacheMs = 30_000;
const cacheEntries = 24;

/** Loads a poster's pictures and draws it; recent drawings are cached. */
export function createPosterGenerator(dependencies: PosterGeneratorDependencies): PosterGenerator {
  const limit = pLimit(maximumConcurrent);
  const cache = new LRUCache<string, DrawnPoster, PosterJob>({
    max: cacheEntries,
    // A drawing that is evicted before it is complete still goes to the callers that wait for it.
    ignoreFetchAbort: true,
    async fetchMethod(_key, _stale, { context: job, options }) {
      if (limit.activeCount + limit.pendingCount >= maximumConcurrent + maximumQueued) throw tooBusy();
      const poster = await limit(() => draw(dependencies, job));
      options.ttl = poster.missing.length === 0 ? cacheMs : incompleteCacheMs;
      return poster;
    },
  });
  return {
    draw: (job) => cache.forceFetch(hash("sha256", JSON.stringify(job), "hex"), { context: job }),
    usage: () => ({ active: limit.activeCount, queued: limit.pendingCount }),
    async close() {
      await Promise.all([dependencies.renderer.close(), dependencies.fetcher.close()]);
    },
  };
}

async function draw(dependencies: PosterGeneratorDependencies, job: PosterJob): Promise<DrawnPoster> {
  const { input, missing } = await loadPictures(dependencies, job);
  try {
    const { image, thumbnail, width, height } = await dependencies.renderer.render(input);
    return { image: drawnImage(image), thumbnail: drawnImage(thumbnail), width, height, missing };
  } catch (error) {
    dependencies.log.warn({ err: error, template: job.template, format: job.format }, "poster rendering failed");
    throw renderError(error);
  }
}

async function loadPictures(
  dependencies: PosterGeneratorDependencies,
  job: PosterJob,
): Promise<{ input: PosterInput; missing: string[] }> {
  const { template: templateName, format, organization, speakers, ...texts } = job;
  const template = posterTemplate.parse(templateName);
  const withPhoto = speakers.filter(({ photo_url }) => photo_url !== null).slice(0, photoLimits[template]);
  const missing: string[] = [];
  const load = async (name: string, url: string | null): Promise<Buffer | null> => {
    if (url === null) return null;
    const picture = await loadPicture(dependencies, url);
    if ("bytes" in picture) return picture.bytes;
    missing.push(`${name}: ${url} ${picture.problem}`);
    return null;
  };
  const [logo, photos] = await Promise.all([
    load(`Logo of ${organization.name}`, organization.logo_url),
    Promise.all(withPhoto.map(({ name, photo_url }) => load(`Photo of ${name}`, photo_url))),
  ]);
  const photoOf = new Map(withPhoto.map((speaker, index) => [speaker, photos[index]]));
  const material = {
    ...texts,
    organization: { name: organization.name, logo },
    speakers: speakers.map((speaker) => {
      const { photo_url: _, ...shown } = speaker;
      return { ...shown, photo: photoOf.get(speaker) ?? null };
    }),
  };
  return { input: { template, format: posterFormat.parse(format), material }, missing: missing.sort() };
}

/** The service's own images are read from its store: it may not be able to reach its own public URL. */
async function loadPicture(
  { images, fetcher, baseUrl }: PosterGeneratorDependencies,
  url: string,
): Promise<FetchedImage> {
  const ownHash = hashInPath(url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url);
  if (ownHash === undefined) return fetcher.fetch(url);
  const image = await images.find(ownHash);
  return image === undefined ? { problem: "is not an image of this service" } : { bytes: image.bytes };
}

function drawnImage(bytes: Buffer): DrawnImage {
  return { hash: hash("sha256", bytes, "hex"), contentType: "image/png", bytes };
}

function renderError(error: unknown): ServiceError {
  switch (posterRenderFailureOf(error)) {
    case "queue_full":
    case "closed":
      return tooBusy();
    case "timeout":
      return new ServiceError(
        "conflict",
        "Drawing the poster took too long and was stopped. Nothing was changed. Try again; if this persists, use fewer speakers or another template",
      );
    default:
      return new ServiceError(
        "internal",
        "The poster could not be drawn. Nothing was changed. Try again; if this persists, use another template",
      );
  }
}

function tooBusy(): ServiceError {
  return new ServiceError(
    "conflict",
    "Too many posters are being drawn right now. Nothing was changed. Try again in a few seconds",
  );
}
