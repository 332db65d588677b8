import { availableParallelism } from "node:os";
import { projectRoot } from "../infra/project-root.js";
import type { PosterInput, RenderedPoster } from "./poster-input.js";
import { createWorkerPool, type WorkerFailure, workerFailureOf } from "./worker-pool.js";

export type PosterRendererOptions = {
  /** Posters that are drawn at the same time. */
  threads?: number;
  /** Per poster, from the moment a worker starts on it. */
  timeoutMs?: number;
  /** Posters that may wait for a worker; further posters are refused. */
  queueLimit?: number;
  /** How long an idle worker is kept. */
  idleMs?: number;
  /** Processes of this machine that draw posters, and share its cores. */
  processes?: number;
};
export type PosterRenderer = { render(input: PosterInput): Promise<RenderedPoster>; close(): Promise<void> };
export type PosterRenderFailure = WorkerFailure;

const heapMb = 384;

/** Draws posters in worker threads, so that the event loop stays free. */
export function createPosterRenderer(options: PosterRendererOptions = {}): PosterRenderer {
  const pool = createWorkerPool<PosterInput, RenderedPoster>(
    new URL("dist/src/poster-render/poster-worker.js", projectRoot),
    {
      threads: options.threads ?? defaultThreads(options.processes ?? 1),
      timeoutMs: options.timeoutMs ?? 15_000,
      queueLimit: options.queueLimit ?? 64,
      idleMs: options.idleMs ?? 30_000,
      heapMb,
    },
  );
  return {
    async render(input) {
      try {
        const poster = await pool.run(input);
        const { image, thumbnail, miniature } = poster;
        return { ...poster, image: asBuffer(image), thumbnail: asBuffer(thumbnail), miniature: asBuffer(miniature) };
      } catch (error) {
        const failure = posterRenderFailureOf(error) ?? "failed";
        const reason = error instanceof Error ? error.message : String(error);
        throw Object.assign(new Error(`Poster not rendered: ${reason}`), { workerFailure: failure });
      }
    },
    close: () => pool.close(),
  };
}

/** At most two per process, and in all no more than there are cores left after the one for requests, but at least one each. */
export function defaultThreads(processes: number, cores = availableParallelism()): number {
  return Math.max(1, Math.min(2, Math.floor((cores - 1) / processes)));
}

/** Why a render was rejected; undefined for other errors. */
export function posterRenderFailureOf(error: unknown): PosterRenderFailure | undefined {
  return workerFailureOf(error);
}

/** Structured cloning turns a Buffer into a plain Uint8Array. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
