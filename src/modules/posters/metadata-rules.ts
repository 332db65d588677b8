import { fieldError } from "../../../contract/errors.js";

export const maximumMetadataBytes = 16_384;

/** What the service itself knows about the image. */
const describesImage = ["style", "format", "width", "height", "generator"];

/** RFC 7396 by name, for the first level: null removes, another value adds or replaces, what is not named stays. */
export function mergeMetadata(
  current: Record<string, unknown>,
  patch: Record<string, unknown>,
): Record<string, unknown> {
  const fixed = describesImage.find((name) => name in patch);
  if (fixed !== undefined) {
    throw fieldError(`metadata.${fixed}`, "describes the image and cannot be changed: draw another poster instead");
  }
  const merged = new Map(Object.entries(current));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, value);
  }
  const metadata = Object.fromEntries(merged);
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  if (bytes > maximumMetadataBytes && bytes > Buffer.byteLength(JSON.stringify(current))) {
    throw fieldError(
      "metadata",
      `expected at most ${maximumMetadataBytes} bytes of JSON in all, this would make ${bytes}; remove entries with null`,
    );
  }
  return metadata;
}
