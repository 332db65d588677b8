import pLimit from "p-limit";
import { type ErrorCode, ServiceError } from "../../../contract/errors.js";
import { type PictureUse, pictureLimits, pictureSizes } from "../../../contract/pictures.js";
import { encodePicture, type PictureEncoding } from "../../infra/encode-picture.js";
import { createTurns, type TurnLimits } from "../../infra/turns.js";
import { imageOf, type SizedImage } from "./store.js";

export type Upload = {
  /** Reads the body, when it is the turn of this upload. */
  read: () => Promise<Buffer>;
  save: (picture: SizedImage) => Promise<void>;
};

/** Why an upload was refused, as metrics name it. */
export const uploadRefusals = ["busy", "not_a_picture", "too_large", "quota"] as const;
type Refusal = (typeof uploadRefusals)[number];

/** Takes pictures that people send, within what the process can hold. */
export type Uploads = {
  /** The organization is the one whose share it takes. */
  take(organizationId: string, use: PictureUse, upload: Upload): Promise<SizedImage>;
  /** The uploads that run, those that wait for their turn, and those refused since the process started. */
  usage(): { active: number; queued: number; refused: Record<Refusal, number> };
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
  const refused: Record<Refusal, number> = { busy: 0, not_a_picture: 0, too_large: 0, quota: 0 };
  const turns = createTurns(limits, (uploadsOfOrganization) => {
    refused.busy += 1;
    return tooBusy(uploadsOfOrganization);
  });
  const decoding = pLimit(decodedAtOnce);
  /** Runs a step, and counts its refusals with this code. */
  const counted = async <Result>(step: () => Promise<Result>, code: ErrorCode, refusal: Refusal): Promise<Result> => {
    try {
      return await step();
    } catch (error) {
      if (error instanceof ServiceError && error.code === code) refused[refusal] += 1;
      throw error;
    }
  };
  return {
    take: (organizationId, use, { read, save }) =>
      turns.take(organizationId, async () => {
        const bytes = await counted(read, "too_large", "too_large");
        const picture = await counted(() => decoding(() => encode(bytes, use)), "invalid_input", "not_a_picture");
        await counted(() => save(picture), "conflict", "quota");
        return picture;
      }),
    usage: () => ({ ...turns.usage(), refused }),
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
