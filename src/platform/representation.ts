import { type Coding, digestOf } from "./etag.js";

export const jsonType = "application/json; charset=utf-8";

/** A body as clients get it. What is derived from it is made once, when it is first needed. */
export type Representation = {
  body: string | Buffer;
  contentType: string;
  /** Whether clients who accept that get it compressed. Images are compressed already. */
  compressible: boolean;
  digest(): string;
  compressed: Map<Coding, Promise<Buffer>>;
};

/** Smaller bodies fit one packet anyway. */
export const minimumBytes = 1024;

export function representationOf(content: { body: string | Buffer; contentType?: string }): Representation {
  const { body, contentType = jsonType } = content;
  const isText = typeof body === "string" || contentType === jsonType;
  let digest: string | undefined;
  return {
    body,
    contentType,
    compressible: isText && isLong(body),
    digest() {
      digest ??= digestOf(body);
      return digest;
    },
    compressed: new Map(),
  };
}

function isLong(body: string | Buffer): boolean {
  if (body.length > minimumBytes) return true;
  return typeof body === "string" && body.length * 3 > minimumBytes && Buffer.byteLength(body) > minimumBytes;
}
