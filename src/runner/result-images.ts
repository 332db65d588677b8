/** An image that a result shows to whoever called, such as a drawing that a commit would store. */
export type ResultImage = { contentType: string; bytes: Buffer };

/** The key of a result's images. A symbol, so that they are neither part of the JSON of the result nor recorded. */
export const resultImages = Symbol("images of a result");

export function imagesOf(result: object): ResultImage[] {
  return resultImages in result ? (result[resultImages] as ResultImage[]) : [];
}

/** For errors, whose details are JSON only. */
export function withoutImages(result: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(result));
}
