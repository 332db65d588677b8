import { type Coding, digestOf } from "./etag.js";

export const jsonType = "application/json; charset=utf-8";

/** A body as clients get it. What is derived from it is made once, when it is first needed. */
export type Representation = {
  body: Buffer;
  contentType: string;
  /** Whether clients who accept that get it compressed. Images are compressed already. */
  compressible: boolean;
  digest(): string;
  compressed: Map<Coding, Promise<Buffer>>;
};

/** Smaller bodies fit one packet anyway. */
const minimumBytes = 1024;

/** Encodes a text once: its digest, its compressed forms and the response itself are made from the bytes. */
export function representationOf(content: { body: string | Buffer; contentType?: string }): Representation {
  const { contentType = jsonType } = content;
  const isText = typeof content.body === "string" || contentType === jsonType;
  const body = typeof content.body === "string" ? Buffer.from(content.body) : content.body;
  let digest: string | undefined;
  return {
    body,
    contentType,
    compressible: isText && body.length > minimumBytes,
    digest() {
      digest ??= digestOf(body);
      return digest;
    },
    compressed: new Map(),
  };
}
