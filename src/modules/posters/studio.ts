import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import { ServiceError } from "../../platform/errors.js";
import type { FetchedImage, ImageFetcher } from "../../platform/fetch-image.js";
import type { Log } from "../../platform/log.js";
import type { PosterInput } from "../../poster-render/poster-input.js";
import { type PosterRenderer, posterRenderFailureOf } from "../../poster-render/poster-renderer.js";
import { hashInPath, type ImageStore } from "../images/store.js";
import { photosShown, posterFormat, posterTemplate } from "./designs.js";
import type { DrawnImage, DrawnPoster, PosterJob } from "./poster-job.js";

export type PosterStudio = { draw(job: PosterJob): Promise<DrawnPoster>; close(): Promise<void> };

export type PosterStudioParts = {
  renderer: PosterRenderer;
  fetcher: ImageFetcher;
  images: ImageStore;
  baseUrl: string;
  log: Log;
};

/** A poster holds up to 13 fetched pictures while it is drawn: the limits bound memory and open connections. */
const maximumConcurrent = 4;
const maximumQueued = 32;
/** Long enough to review a preview, so that its commit does not draw again. */
const completeTtlMs = 300_000;
/** A picture that was missing may be available soon. */
const incompleteTtlMs = 30_000;
const maximumCached = 24;

/** Gets the pictures of a poster and draws it. */
export function openPosterStudio(parts: PosterStudioParts): PosterStudio {
  const limit = pLimit(maximumConcurrent);
  const cache = new LRUCache<string, DrawnPoster, PosterJob>({
    max: maximumCached,
    // A drawing that is evicted before it is complete still goes to the callers that wait for it.
    ignoreFetchAbort: true,
    async fetchMethod(_key, _stale, { context: job, options }) {
      if (limit.activeCount + limit.pendingCount >= maximumConcurrent + maximumQueued) throw tooBusy();
      const poster = await limit(() => draw(parts, job));
      options.ttl = poster.missing.length === 0 ? completeTtlMs : incompleteTtlMs;
      return poster;
    },
  });
  return {
    draw: (job) => cache.forceFetch(hash("sha256", JSON.stringify(job), "hex"), { context: job }),
    async close() {
      await Promise.all([parts.renderer.close(), parts.fetcher.close()]);
    },
  };
}

async function draw(parts: PosterStudioParts, job: PosterJob): Promise<DrawnPoster> {
  const { input, missing } = await gather(parts, job);
  try {
    const { image, thumbnail, width, height } = await parts.renderer.render(input);
    return { image: drawnImage(image), thumbnail: drawnImage(thumbnail), width, height, missing };
  } catch (error) {
    parts.log.warn({ err: error, template: job.template, format: job.format }, "a poster was not drawn");
    throw renderError(error);
  }
}

async function gather(parts: PosterStudioParts, job: PosterJob): Promise<{ input: PosterInput; missing: string[] }> {
  const { template: templateName, format, organization, speakers, ...texts } = job;
  const template = posterTemplate.parse(templateName);
  const withPhoto = speakers.filter(({ photo_url }) => photo_url !== null).slice(0, photosShown[template]);
  const missing: string[] = [];
  const picture = async (name: string, url: string | null): Promise<Buffer | null> => {
    const found = url === null ? undefined : await findPicture(parts, url);
    if (found === undefined || "bytes" in found) return found?.bytes ?? null;
    missing.push(`${name}: ${url} ${found.problem}`);
    return null;
  };
  const [logo, photos] = await Promise.all([
    picture(`Logo of ${organization.name}`, organization.logo_url),
    Promise.all(withPhoto.map(({ name, photo_url }) => picture(`Photo of ${name}`, photo_url))),
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

/** The service's own images come from its store: it need not reach itself, and may be at an address that is not public. */
async function findPicture({ images, fetcher, baseUrl }: PosterStudioParts, url: string): Promise<FetchedImage> {
  const own = hashInPath(url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url);
  if (own === undefined) return fetcher.fetch(url);
  const image = await images.find(own);
  return image === undefined ? { problem: "is not among the images of this service" } : { bytes: image.bytes };
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
        "Drawing the poster took too long and was stopped. Nothing was changed. Try again, with fewer speakers or another template if it happens again",
      );
    default:
      return new ServiceError(
        "internal",
        "The poster could not be drawn. Nothing was changed. Try again, with another template if it happens again",
      );
  }
}

function tooBusy(): ServiceError {
  return new ServiceError(
    "conflict",
    "Too many posters are being drawn at this moment. Nothing was changed. Try again in a few seconds",
  );
}
