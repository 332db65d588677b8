import type { IncomingMessage } from "node:http";
import { fieldError, type ServiceError } from "../../contract/errors.js";

/** The body of a request, of which nothing was read yet. One that is too large is refused without reading the rest. */
export async function readFile(request: IncomingMessage, maximumBytes: number): Promise<Buffer> {
  if (Number(request.headers["content-length"] ?? 0) > maximumBytes) throw tooLarge(maximumBytes);
  // The client may have gone while its request waited for its turn: no event would follow.
  if (request.destroyed) throw endedEarly();
  const chunks: Buffer[] = [];
  let size = 0;
  await new Promise<void>((resolve, reject) => {
    const stop = (error: Error) => {
      request.off("data", take).pause();
      reject(error);
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > maximumBytes) stop(tooLarge(maximumBytes));
      else chunks.push(chunk);
    };
    request.on("data", take).once("end", resolve).once("error", reject);
    // A connection that is closed does not always end with an error.
    request.once("close", () => reject(endedEarly()));
  });
  return Buffer.concat(chunks);
}

function endedEarly(): ServiceError {
  return fieldError("body", "ended too early");
}

function tooLarge(maximumBytes: number): ServiceError {
  return fieldError("body", `expected at most ${maximumBytes} bytes`, "too_large");
}
