import { parentPort } from "node:worker_threads";
import sharp from "sharp";
import { drawPoster } from "./draw-poster.js";
import type { PosterInput, RenderedPoster } from "./poster-input.js";
import type { WorkerAnswer } from "./worker-pool.js";

// The pool decides how much runs at once, and a poster is never the same picture twice.
sharp.concurrency(1);
sharp.cache(false);

parentPort?.on("message", async ({ id, input }: { id: number; input: PosterInput }) => {
  parentPort?.postMessage(await answer(id, input));
});

async function answer(id: number, input: PosterInput): Promise<WorkerAnswer<RenderedPoster>> {
  try {
    return { id, output: await drawPoster(input) };
  } catch (error) {
    return { id, failure: error instanceof Error ? error.message : String(error) };
  }
}
