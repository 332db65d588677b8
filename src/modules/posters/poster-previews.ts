import { createHmac, timingSafeEqual } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { ServiceError } from "../../../contract/errors.js";
import type { Database } from "../../infra/database/db.js";
import type { Content } from "../../route.js";
import type { DeriveKey } from "../../sign-in/secret-key.js";
import { hashInPath, imagePath } from "../images/store.js";
import { posterJob } from "./draft-rules.js";
import { type EventMaterial, getMaterial } from "./material-store.js";
import type { PosterPreview, PosterServices } from "./poster-job.js";

/**
 * Shows drawings before they are stored. A URL carries what the drawing is made from, signed together with the hash of the
 * image: every process can draw it again, nobody can make up another, and it shows exactly what was previewed or nothing.
 */
export type PosterPreviews = {
  urlOf: PosterServices["previewUrl"];
  /** The image of a path, if the token is for it, has not expired, and the event still gives the same drawing. */
  find(path: string, token: string): Promise<Content | undefined>;
};

export type PosterPreviewDependencies = {
  db: Database;
  baseUrl: string;
  deriveKey: DeriveKey;
  drawPoster: PosterServices["drawPoster"];
};

export const previewMinutes = 30;
/** Half of a SHA-256: as hard to guess as a uuid. */
const proofBytes = 16;
const maximumPayloadBytes = 16_384;

type Payload = PosterPreview & { expires: number };

export function createPosterPreviews(
  { db, baseUrl, deriveKey, drawPoster }: PosterPreviewDependencies,
  now: () => number = Date.now,
): PosterPreviews {
  const proofOf = async (hash: string, payload: Buffer) =>
    createHmac("sha256", await deriveKey("poster previews"))
      .update(hash)
      .update(payload)
      .digest()
      .subarray(0, proofBytes);
  return {
    async urlOf(preview, image) {
      const expires = Math.floor(now() / 1000) + previewMinutes * 60;
      const payload = deflateRawSync(JSON.stringify({ ...preview, expires } satisfies Payload));
      const token = encode(Buffer.concat([await proofOf(image.hash, payload), payload]));
      return {
        url: `${baseUrl}${imagePath(image)}?preview=${token}`,
        expires_at: new Date(expires * 1000).toISOString(),
      };
    },
    async find(path, token) {
      const hash = hashInPath(path);
      const signed = decode(token);
      if (hash === undefined || signed === undefined || signed.length <= proofBytes) return undefined;
      const payload = signed.subarray(proofBytes);
      if (!timingSafeEqual(signed.subarray(0, proofBytes), await proofOf(hash, payload))) return undefined;
      // Signed by this service, so it has this shape.
      const preview = JSON.parse(
        inflateRawSync(payload, { maxOutputLength: maximumPayloadBytes }).toString(),
      ) as Payload;
      if (preview.expires * 1000 < now()) return undefined;
      const { organization_id, event_id, choice } = preview;
      const material = await findMaterial(db, event_id, baseUrl, choice.speaker_ids);
      if (material === undefined) return undefined;
      const job = posterJob(material, choice);
      const { image, thumbnail } = await drawPoster(job, organization_id);
      const found = [image, thumbnail].find((drawn) => imagePath(drawn) === path);
      return found && { body: found.bytes, contentType: found.contentType };
    },
  };
}

/** Undefined if the event or a speaker is gone. */
async function findMaterial(...parameters: Parameters<typeof getMaterial>): Promise<EventMaterial | undefined> {
  try {
    return await getMaterial(...parameters);
  } catch (error) {
    if (error instanceof ServiceError && ["not_found", "invalid_input"].includes(error.code)) return undefined;
    throw error;
  }
}

/** Without "-", which could look like a guest's key and would be refused as a secret. */
function encode(bytes: Buffer): string {
  return bytes.toString("base64url").replaceAll("-", "~");
}

/** Undefined for what `encode` does not write, so that a token has one spelling. */
function decode(token: string): Buffer | undefined {
  const bytes = Buffer.from(token.replaceAll("~", "-"), "base64url");
  return encode(bytes) === token ? bytes : undefined;
}
