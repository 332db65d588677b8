import { Readable } from "node:stream";
import type { Dispatcher, Pool } from "undici";
import { ServiceError } from "../../contract/errors.js";

export type UpstreamResponse = {
  status: number;
  headers: ResponseHeaders;
  /** Buffered if it is small and not compressed, as most are; a stream costs more CPU than the request itself. */
  body: Promise<Buffer> | Readable;
  /** Releases the connection of a response that is not needed. */
  discard(): void;
};

type ResponseHeaders = Record<string, string | string[] | undefined>;

/** Replaces an AbortSignal, which costs half as much CPU as the exchange itself. */
export type Cancellation = { cause: CancellationCause | null; abort: () => void; startedAtMs: number };

type CancellationCause = "caller" | "deadline";

export function createCancellation(): Cancellation {
  return { cause: null, abort: () => {}, startedAtMs: performance.now() };
}

export function cancel(cancellation: Cancellation, cause: CancellationCause): void {
  if (cancellation.cause !== null) return;
  cancellation.cause = cause;
  cancellation.abort();
}

const bufferLimitBytes = 64 * 1024;

/**
 * Makes one request over a connection of the pool. Resolves once the final status and headers have arrived; the body may
 * still fail. Cheaper than undici's `request()`: see docs/decisions/ticketing-proxy.md.
 */
export function exchange(
  pool: Pool,
  request: Dispatcher.DispatchOptions,
  cancellation: Cancellation,
): Promise<UpstreamResponse> {
  return new Promise((resolve, reject) => {
    let sink: BodySink | undefined;
    pool.dispatch(request, {
      onRequestStart(controller) {
        cancellation.abort = () => controller.abort(new Error("cancelled"));
        if (cancellation.cause !== null) cancellation.abort();
      },
      onResponseStart(controller, status, headers) {
        if (status < 200) return;
        sink = isBuffered(headers) ? createBufferSink(controller) : createStreamSink(controller);
        resolve({ status, headers, body: sink.body, discard: sink.discard });
      },
      onResponseData(controller, chunk) {
        if (sink?.push(chunk) === false) controller.pause();
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

function isBuffered(headers: ResponseHeaders): boolean {
  return headers["content-encoding"] === undefined && Number(headers["content-length"]) <= bufferLimitBytes;
}

type BodySink = Pick<UpstreamResponse, "body" | "discard"> & {
  /** Returns false to pause the connection. */
  push(chunk: Buffer): boolean;
  end(): void;
  fail(error: Error): void;
};

function createBufferSink(controller: Dispatcher.DispatchController): BodySink {
  const chunks: Buffer[] = [];
  let end: (bytes: Buffer) => void = ignore;
  let fail: (error: Error) => void = ignore;
  const body = new Promise<Buffer>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  // The body may fail before anything awaits it.
  body.catch(ignore);
  return {
    body,
    discard: () => controller.abort(new Error("discarded")),
    push: (chunk) => chunks.push(chunk) > 0,
    end: () => end(Buffer.concat(chunks)),
    fail,
  };
}

function createStreamSink(controller: Dispatcher.DispatchController): BodySink {
  const body = new Readable({
    read: () => controller.resume(),
    // Has no effect on a response that has ended.
    destroy(error, done) {
      controller.abort(error ?? new Error("response not read to its end"));
      done(error);
    },
  });
  return {
    body,
    discard() {
      body.on("error", ignore);
      body.destroy();
    },
    push: (chunk) => body.push(chunk),
    end: () => body.push(null),
    fail: (error) => body.destroy(error),
  };
}

function ignore(): void {}

/** Why a call got no usable response, as its caller is told. A write that may have been carried out says so. */
export type CallFailures = {
  timedOut(): ServiceError;
  incomplete(): ServiceError;
  /** `problem` completes "The ticketing platform …". */
  unusable(problem: string): ServiceError;
};

export function createCallFailures(
  method: string,
  cancellation: Cancellation,
  responseTimeoutMs: number,
): CallFailures {
  const unusable = (problem: string) =>
    new ServiceError("bad_gateway", `The ticketing platform ${problem}${retryWarning(method)}`, {
      details: { outcome: "unknown" },
    });
  const timedOut = () =>
    new ServiceError(
      "gateway_timeout",
      `The ticketing platform did not respond within ${responseTimeoutMs / 1000} s${retryWarning(method)}`,
      { details: { outcome: "unknown" } },
    );
  return {
    timedOut,
    unusable,
    incomplete: () =>
      cancellation.cause === "deadline" ? timedOut() : unusable("sent an incomplete or corrupt response"),
  };
}

function retryWarning(method: string): string {
  return method === "GET" ? "" : ". The change may or may not have been applied: check before you retry";
}
