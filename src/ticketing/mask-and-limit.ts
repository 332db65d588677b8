import { Transform } from "node:stream";
import type { ServiceError } from "../../contract/errors.js";
import type { KeyMask } from "./key-mask.js";

/** A stage of a response stream: fails once the response exceeds its limit, and masks the platform's key. */
export function maskAndLimit(options: {
  limitBytes: number;
  keyMask: KeyMask;
  failure: () => ServiceError;
}): Transform {
  const { limitBytes, keyMask, failure } = options;
  let receivedBytes = 0;
  /** The end of what has arrived, in which the key could begin. */
  let held: Buffer = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      receivedBytes += chunk.length;
      if (receivedBytes > limitBytes) return done(new Error("response too large"));
      const bytes = keyMask.mask(held.length === 0 ? chunk : Buffer.concat([held, chunk]));
      const end = Math.max(0, bytes.length - (keyMask.longest - 1));
      held = Buffer.from(bytes.subarray(end));
      done(null, bytes.subarray(0, end));
    },
    flush(done) {
      done(null, held);
    },
    // Sent as a 502 if nothing has been relayed yet; otherwise the caller's connection is closed mid-response.
    destroy(error, done) {
      done(error && failure());
    },
  });
}
