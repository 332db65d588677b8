import { Transform } from "node:stream";
import { ServiceError } from "../platform/errors.js";

/** A shorter key could match unrelated response text, so it is not masked. */
const shortestMaskedKey = 8;

/**
 * A stage of a response stream: fails once the response exceeds its limit, and masks the platform's key with asterisks,
 * because a caller who learned it could reach every event. Masking does not change the response's length.
 */
export function maskAndLimit(options: { limitBytes: number; apiKey: string }): Transform {
  const masker = createMasker(options.apiKey);
  let receivedBytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      receivedBytes += chunk.length;
      if (receivedBytes > options.limitBytes) done(new Error("response too large"));
      else done(null, masker.push(chunk));
    },
    flush(done) {
      done(null, masker.flush());
    },
    // Sent as a 502 if nothing has been relayed yet; otherwise the caller's connection is closed mid-response.
    destroy(error, done) {
      done(error && incompleteResponse());
    },
  });
}

export function incompleteResponse(): ServiceError {
  return new ServiceError("bad_gateway", "The ticketing platform sent an incomplete or corrupt response");
}

/** Masks the key in place, in a body that is complete. */
export function maskKey(body: Buffer, apiKey: string): Buffer {
  if (apiKey.length < shortestMaskedKey) return body;
  for (let at = body.indexOf(apiKey); at !== -1; at = body.indexOf(apiKey, at + apiKey.length)) {
    body.fill("*", at, at + apiKey.length);
  }
  return body;
}

type Masker = { push(chunk: Buffer): Buffer; flush(): Buffer };

/** Holds back the end of a chunk if the key could continue in the next one. */
function createMasker(apiKey: string): Masker {
  const key = Buffer.from(apiKey);
  let held: Buffer = Buffer.alloc(0);
  if (key.length < shortestMaskedKey) return { push: (chunk) => chunk, flush: () => held };
  return {
    push(chunk) {
      const bytes = maskKey(held.length === 0 ? chunk : Buffer.concat([held, chunk]), apiKey);
      const end = bytes.length - partialKeyLength(bytes, key);
      held = end === bytes.length ? held.subarray(0, 0) : Buffer.from(bytes.subarray(end));
      return bytes.subarray(0, end);
    },
    flush: () => held,
  };
}

/** The number of trailing bytes that are a prefix of the key. */
function partialKeyLength(bytes: Buffer, key: Buffer): number {
  for (let length = Math.min(key.length - 1, bytes.length); length > 0; length -= 1) {
    const at = bytes.length - length;
    if (bytes[at] === key[0] && bytes.subarray(at).equals(key.subarray(0, length))) return length;
  }
  return 0;
}
