import type { ServerResponse } from "node:http";

/**
 * Runs `work` once, when the response is complete or its caller is gone. Not with `once()`: a response from which a listener
 * was removed outlives the young generation, with its request (docs/performance.md).
 */
export function onClosed(response: ServerResponse, work: () => void): void {
  let isClosed = false;
  response.on("close", () => {
    if (isClosed) return;
    isClosed = true;
    work();
  });
}
