import type { Sharp } from "sharp";
import type { PictureSize } from "../../contract/pictures.js";
import { imageTypeOf } from "./fetch-image.js";

export type EncodedPicture = PictureSize & {
  bytes: Buffer;
  contentType: "image/jpeg" | "image/webp";
  /** Of the picture that was given, as it is held. */
  original: PictureSize;
};

/** `photo` and `drawing` are WebP, which browsers show; `shared` is JPEG, which every social platform takes. */
export type PictureEncoding = "photo" | "drawing" | "shared";

const decodeSeconds = 10;

/**
 * Decodes a picture of unknown origin completely and encodes it anew, no larger than the given size: the result has its
 * pixels and nothing else, neither metadata nor bytes behind the image. What is wrong with it is returned as a problem.
 */
export async function encodePicture(
  bytes: Buffer,
  { maximumPixels, within, encoding }: { maximumPixels: number; within: PictureSize; encoding: PictureEncoding },
): Promise<EncodedPicture | { problem: string }> {
  if (imageTypeOf(bytes) === undefined) return { problem: "is not a PNG, JPEG or WebP image" };
  const { default: sharp } = await import("sharp");
  const open = () =>
    sharp(bytes, { limitInputPixels: maximumPixels, failOn: "error", pages: 1 }).timeout({ seconds: decodeSeconds });
  try {
    // The size is read from the header first: decoding a few hundred bytes can fill gigabytes.
    const { autoOrient: original, width, height } = await open().metadata();
    if (width * height > maximumPixels) return { problem: tooManyPixels(maximumPixels) };
    const pixels = open()
      .autoOrient()
      .resize({ ...within, fit: "inside", withoutEnlargement: true })
      .toColourspace("srgb");
    const { data, info } = await encoders[encoding](pixels).toBuffer({ resolveWithObject: true });
    const contentType = encoding === "shared" ? "image/jpeg" : "image/webp";
    return { bytes: data, contentType, width: info.width, height: info.height, original };
  } catch (error) {
    const isTooLarge = error instanceof Error && error.message.includes("exceeds pixel limit");
    return { problem: isTooLarge ? tooManyPixels(maximumPixels) : "cannot be decoded: it may be damaged" };
  }
}

const encoders: Record<PictureEncoding, (pixels: Sharp) => Sharp> = {
  photo: (pixels) => pixels.webp({ quality: 85 }),
  drawing: (pixels) => pixels.webp({ lossless: true }),
  shared: (pixels) => pixels.flatten({ background: "#ffffff" }).jpeg({ quality: 90, chromaSubsampling: "4:4:4" }),
};

function tooManyPixels(maximum: number): string {
  return `has more than ${Math.floor(maximum / 1_000_000)} megapixels`;
}
