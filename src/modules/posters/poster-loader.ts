import { LRUCache } from "lru-cache";
import { fieldError, ServiceError } from "../../../contract/errors.js";
import { pictureLimits, pictureSizes } from "../../../contract/pictures.js";
import { type EncodedPicture, encodePicture } from "../../infra/encode-picture.js";
import type { ImageFetcher } from "../../infra/fetch-image.js";
import { createTurns } from "../../infra/turns.js";
import {
  hashInPath,
  type Image,
  type ImageStore,
  imageOf,
  imagePath,
  notStored,
  ownImagePath,
} from "../images/store.js";
import type { LoadedPoster, PosterServices } from "./poster-job.js";

export type PosterLoader = { load: PosterServices["loadPoster"]; close(): Promise<void> };

type Dependencies = { fetcher: ImageFetcher; images: Pick<ImageStore, "find">; baseUrl: string };

/** Each holds a picture of up to 25 megapixels while it is decoded. */
const limits = { running: 2, waiting: 16, runningPerOrganization: 1, waitingPerOrganization: 4 };
/** Long enough to review a preview, so that its commit has the same picture. */
const cacheMs = 300_000;
const cacheEntries = 12;

const thumbnailSize = { width: 400, height: 800 };
const miniatureSize = { width: 240, height: 480 };

/** Loads posters that were made elsewhere, and makes their thumbnails; recent ones are cached. */
export function createPosterLoader(dependencies: Dependencies): PosterLoader {
  const turns = createTurns(limits, tooBusy);
  const cache = new LRUCache<string, LoadedPoster, string>({
    max: cacheEntries,
    ttl: cacheMs,
    // One that is evicted before it is complete still goes to the callers that wait for it.
    ignoreFetchAbort: true,
    fetchMethod: (url, _stale, { context: organizationId }) =>
      turns.take(organizationId, () => loadPoster(dependencies, url)),
  });
  return {
    load: (url, organizationId) => cache.forceFetch(url, { context: organizationId }),
    close: () => dependencies.fetcher.close(),
  };
}

async function loadPoster({ fetcher, images, baseUrl }: Dependencies, url: string): Promise<LoadedPoster> {
  const path = ownImagePath(url, baseUrl);
  const image = path === undefined ? await fetchImage(fetcher, url) : await findImage(images, path);
  const thumbnail = await encoded(image.bytes, thumbnailSize, "shared");
  const miniature = await encoded(image.bytes, miniatureSize, "photo");
  return { image, thumbnail: imageOf(thumbnail), miniature: miniature.bytes, ...thumbnail.original };
}

/** An image of the service is shown as it is: it was encoded when it was stored. */
async function findImage(images: Pick<ImageStore, "find">, path: string): Promise<Image> {
  const image = await images.find(hashInPath(path) ?? "");
  if (image === undefined || imagePath(image) !== path) throw notStored(path);
  return image;
}

async function fetchImage(fetcher: ImageFetcher, url: string): Promise<Image> {
  const fetched = await fetcher.fetch(url);
  if ("problem" in fetched) throw unusable(fetched.problem);
  return imageOf(await encoded(fetched.bytes, pictureSizes.poster, "shared"));
}

async function encoded(
  bytes: Buffer,
  within: { width: number; height: number },
  encoding: "shared" | "photo",
): Promise<EncodedPicture> {
  const picture = await encodePicture(bytes, { maximumPixels: pictureLimits.pixels, within, encoding });
  if ("problem" in picture) throw unusable(picture.problem);
  return picture;
}

function unusable(problem: string): ServiceError {
  return fieldError("image_url", `the picture ${problem}. Nothing was changed`);
}

const retryAfterSeconds = 5;

function tooBusy(): ServiceError {
  return new ServiceError(
    "unavailable",
    `Too many posters are being loaded right now. Nothing was changed. Try again in ${retryAfterSeconds} s`,
    { retryAfterSeconds },
  );
}
