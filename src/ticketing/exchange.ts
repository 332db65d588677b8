import { Readable } from "node:stream";
import type { Dispatcher, Pool } from "undici";

export type UpstreamAnswer = {
  status: number;
  headers: Headers;
  /** Whole if it is small and plain, as most are: a stream would cost more than the request. */
  body: Promise<Buffer> | Readable;
  /** Frees the connection of an answer that nobody wants. */
  discard(): void;
};

type Headers = Record<string, string | string[] | undefined>;

/** What an AbortSignal is for, at a fraction of its cost: one is made for every request. */
export type Cancellation = { cause: CancellationCause | null; stop: () => void };

export type CancellationCause = "caller" | "deadline";

export function createCancellation(): Cancellation {
  return { cause: null, stop: () => {} };
}

export function cancel(cancellation: Cancellation, cause: CancellationCause): void {
  if (cancellation.cause !== null) return;
  cancellation.cause = cause;
  cancellation.stop();
}

const wholeUpToBytes = 64 * 1024;

/** One request over a connection of the pool. The answer is there when its head is; its body may fail later. */
export function exchange(
  pool: Pool,
  request: Dispatcher.DispatchOptions,
  cancellation: Cancellation,
): Promise<UpstreamAnswer> {
  return new Promise((resolve, reject) => {
    let sink: Sink | undefined;
    pool.dispatch(request, {
      onRequestStart(controller) {
        cancellation.stop = () => controller.abort(new Error("cancelled"));
        if (cancellation.cause !== null) cancellation.stop();
      },
      onResponseStart(controller, status, headers) {
        if (status < 200) return;
        sink = arrivesWhole(headers) ? wholeSink(controller) : streamSink(controller);
        resolve({ status, headers, body: sink.body, discard: sink.discard });
      },
      onResponseData(controller, piece) {
        if (sink?.take(piece) === false) controller.pause();
      },
      onResponseEnd() {
        sink?.end();
      },
      onResponseError(_controller, error) {
        if (sink === undefined) reject(error);
        else sink.fail(error);
      },
    });
  });
}

function arrivesWhole(headers: Headers): boolean {
  return headers["content-encoding"] === undefined && Number(headers["content-length"]) <= wholeUpToBytes;
}

type Sink = Pick<UpstreamAnswer, "body" | "discard"> & {
  /** False asks for a pause. */
  take(piece: Buffer): boolean;
  end(): void;
  fail(error: Error): void;
};

function wholeSink(controller: Dispatcher.DispatchController): Sink {
  const pieces: Buffer[] = [];
  let end: (bytes: Buffer) => void = ignore;
  let fail: (error: Error) => void = ignore;
  const body = new Promise<Buffer>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  // It may fail before anyone waits for it.
  body.catch(ignore);
  return {
    body,
    discard: () => controller.abort(new Error("discarded")),
    take: (piece) => pieces.push(piece) > 0,
    end: () => end(Buffer.concat(pieces)),
    fail,
  };
}

function streamSink(controller: Dispatcher.DispatchController): Sink {
  const body = new Readable({
    read: () => controller.resume(),
    // What has ended is not aborted any more.
    destroy(error, done) {
      controller.abort(error ?? new Error("not read to its end"));
      done(error);
    },
  });
  return {
    body,
    discard() {
      body.on("error", ignore);
      body.destroy();
    },
    take: (piece) => body.push(piece),
    end: () => body.push(null),
    fail: (error) => body.destroy(error),
  };
}

function ignore(): void {}
