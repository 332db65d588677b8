import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { ServiceError } from "../../../contract/errors.js";
import { posterFormat, posterTemplate } from "../../../contract/schema/posters.js";
import type { FetchedImage, ImageFetcher } from "../../infra/fetch-image.js";
import type { Log } from "../../infra/observability/log.js";
import { createTurns } from "../../infra/turns.js";
import type { PosterInput, RenderedPoster } from "../../poster-render/poster-input.js";
import { type PosterRenderer, posterRenderFailureOf } from "../../poster-render/poster-renderer.js";
import { hashInPath, type ImageStore } from "../images/store.js";
import { type DrawnImage, type DrawnPoster, type PosterJob, photoLimits } from "./poster-job.js";

export type PosterGenerator = {
  /** The organization is the one whose share of the drawing it takes. */
  draw(job: PosterJob, organizationId: string): Promise<DrawnPoster>;
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
export const posterLimits = {
  running: 4,
  waiting: 32,
  runningPerOrganization: 2,
  waitingPerOrganization: 4,
  /** Pictures that recently could not be loaded or decoded, by URL. */
  failedPictures: 500,
};
/** Long enough to review a preview, so that its commit reuses the drawing. */
const cacheMs = 300_000;
/** A missing picture may become available soon. */
const incompleteCacheMs = 30_000;
const cacheEntries = 24;

/** Loads a poster's pictures and draws it; recent drawings are cached, and for a short time what is wrong with pictures. */
export function createPosterGenerator(
  dependencies: PosterGeneratorDependencies,
  limits = posterLimits,
): PosterGenerator {
  const turns = createTurns(limits, (jobs) =>
    jobs === undefined
      ? tooBusy()
      : tooBusy(`Your organization has ${jobs} posters being drawn or waiting, the most it may have`),
  );
  const problems: PictureProblems = new LRUCache({ max: limits.failedPictures, ttl: incompleteCacheMs });
  const cache = new LRUCache<string, DrawnPoster, { job: PosterJob; organizationId: string }>({
    max: cacheEntries,
    // A drawing that is evicted before it is complete still goes to the callers that wait for it.
    ignoreFetchAbort: true,
    async fetchMethod(_key, _stale, { context: { job, organizationId }, options }) {
      const poster = await turns.take(organizationId, () => draw(dependencies, problems, job));
      options.ttl = poster.missing.length === 0 ? cacheMs : incompleteCacheMs;
      return poster;
    },
  });
  return {
    draw: (job, organizationId) =>
      cache.forceFetch(hash("sha256", JSON.stringify(job), "hex"), { context: { job, organizationId } }),
    usage: turns.usage,
    async close() {
      await Promise.all([dependencies.renderer.close(), dependencies.fetcher.close()]);
    },
  };
}

type PictureProblems = LRUCache<string, string>;

async function draw(
  dependencies: PosterGeneratorDependencies,
  problems: PictureProblems,
  job: PosterJob,
): Promise<DrawnPoster> {
  const { input, missing } = await loadPictures(dependencies, problems, job);
  try {
    const { image, thumbnail, miniature, width, height, ...unusable } = await dependencies.renderer.render(input);
    for (const { name, url } of unusablePictures(job, unusable)) {
      problems.set(url, "cannot be decoded, or has more than 16 megapixels");
      missing.push(`${name}: ${url} ${problems.get(url)}`);
    }
    return {
      image: drawnImage(image),
      thumbnail: drawnImage(thumbnail),
      miniature,
      width,
      height,
      missing: missing.sort(),
    };
  } catch (error) {
    dependencies.log.warn({ err: error, template: job.template, format: job.format }, "poster rendering failed");
    throw renderError(error);
  }
}

type NamedPicture = { name: string; url: string | null };

function logoOf({ organization }: PosterJob): NamedPicture {
  return { name: `Logo of ${organization.name}`, url: organization.logo_url };
}

function photoOf(speaker: PosterJob["speakers"][number]): NamedPicture {
  return { name: `Photo of ${speaker.name}`, url: speaker.photo_url };
}

function unusablePictures(job: PosterJob, unusable: Pick<RenderedPoster, "unusable_logo" | "unusable_photos">) {
  const photos = job.speakers.filter((_, index) => unusable.unusable_photos.includes(index)).map(photoOf);
  const pictures = [...(unusable.unusable_logo ? [logoOf(job)] : []), ...photos];
  return pictures.flatMap(({ name, url }) => (url === null ? [] : [{ name, url }]));
}

async function loadPictures(
  dependencies: PosterGeneratorDependencies,
  problems: PictureProblems,
  job: PosterJob,
): Promise<{ input: PosterInput; missing: string[] }> {
  const { template: templateName, format, organization, speakers, ...texts } = job;
  const template = posterTemplate.parse(templateName);
  const withPhoto = speakers.filter(({ photo_url }) => photo_url !== null).slice(0, photoLimits[template]);
  const missing: string[] = [];
  const load = async ({ name, url }: NamedPicture): Promise<Buffer | null> => {
    if (url === null) return null;
    const known = problems.get(url);
    const picture = known === undefined ? await loadPicture(dependencies, url) : { problem: known };
    if ("bytes" in picture) return picture.bytes;
    if (known === undefined) problems.set(url, picture.problem);
    missing.push(`${name}: ${url} ${picture.problem}`);
    return null;
  };
  const [logo, photos] = await Promise.all([
    load(logoOf(job)),
    Promise.all(withPhoto.map((speaker) => load(photoOf(speaker)))),
  ]);
  const loaded = new Map(withPhoto.map((speaker, index) => [speaker, photos[index]]));
  const material = {
    ...texts,
    organization: { name: organization.name, logo },
    speakers: speakers.map((speaker) => {
      const { photo_url: _, ...shown } = speaker;
      return { ...shown, photo: loaded.get(speaker) ?? null };
    }),
  };
  return { input: { template, format: posterFormat.parse(format), material }, missing };
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

/** About the time in which a few posters are drawn. */
const retryAfterSeconds = 5;

function tooBusy(problem = "Too many posters of all organizations are being drawn right now"): ServiceError {
  return new ServiceError("unavailable", `${problem}. Nothing was changed. Try again in ${retryAfterSeconds} s`, {
    retryAfterSeconds,
  });
}
