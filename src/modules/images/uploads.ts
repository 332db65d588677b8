import pLimit from "p-limit";
import { ServiceError } from "../../../contract/errors.js";
import { type PictureUse, pictureLimits, pictureSizes } from "../../../contract/pictures.js";
import { encodePicture, type PictureEncoding } from "../../infra/encode-picture.js";
import { createTurns, type TurnLimits } from "../../infra/turns.js";
import { imageOf, type SizedImage } from "./store.js";

/** Takes pictures that people send, within what the process can hold. */
export type Uploads = {
  /** `read` reads the body when it is the turn of this upload. The organization is the one whose share it takes. */
  take(organizationId: string, use: PictureUse, read: () => Promise<Buffer>): Promise<SizedImage>;
};

/** The bodies in memory, and the uploads that wait for their turn with a connection only. Few enough that none waits for long. */
export const uploadLimits: TurnLimits = {
  running: 12,
  waiting: 24,
  runningPerOrganization: 3,
  waitingPerOrganization: 12,
};

/** A picture of the most pixels takes 100 MB while it is decoded. */
const decodedAtOnce = 2;

const encodings: Record<PictureUse, PictureEncoding> = {
  logo: "drawing",
  photo: "photo",
  tile: "photo",
  poster: "shared",
  banner: "photo",
};

export function createUploads(limits = uploadLimits): Uploads {
  const turns = createTurns(limits, tooBusy);
  const decoding = pLimit(decodedAtOnce);
  return {
    take: (organizationId, use, read) =>
      turns.take(organizationId, async () => {
        const bytes = await read();
        return decoding(() => encode(bytes, use));
      }),
  };
}

async function encode(sent: Buffer, use: PictureUse): Promise<SizedImage> {
  const picture = await encodePicture(sent, {
    maximumPixels: pictureLimits.pixels,
    within: pictureSizes[use],
    encoding: encodings[use],
  });
  if ("problem" in picture) {
    throw new ServiceError("invalid_input", `The file ${picture.problem}. Nothing was stored`, { field: "body" });
  }
  return imageOf(picture);
}

const retryAfterSeconds = 5;

function tooBusy(uploadsOfOrganization?: number): ServiceError {
  const problem =
    uploadsOfOrganization === undefined
      ? "Too many pictures of all organizations are being uploaded right now"
      : `Your organization is uploading ${uploadsOfOrganization} pictures, the most it may at once`;
  return new ServiceError("unavailable", `${problem}. Nothing was stored. Try again in ${retryAfterSeconds} s`, {
    retryAfterSeconds,
  });
}
