import { parentPort } from "node:worker_threads";
import sharp from "sharp";
import { drawPoster } from "./draw-poster.js";
import type { PosterInput, RenderedPoster } from "./poster-input.js";
import type { WorkerResponse } from "./worker-pool.js";

// The pool bounds concurrency, and no two posters share an intermediate image worth caching.
sharp.concurrency(1);
sharp.cache(false);

parentPort?.on("message", async (input: PosterInput) => {
  parentPort?.postMessage(await respond(input));
});

async function respond(input: PosterInput): Promise<WorkerResponse<RenderedPoster>> {
  try {
    return { output: await drawPoster(input) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
