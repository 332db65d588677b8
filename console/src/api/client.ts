import { ApiError, networkErrorCode, unexpectedResponseCode } from "./api-error.ts";
import { reportConnection } from "./connection.ts";

export type RequestOptions = {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Sent as JSON. */
  body?: unknown;
  signal?: AbortSignal;
  /** A 401 is an answer to this request, such as a wrong password, and does not mean that the session has ended. */
  withoutSession?: boolean;
};

const timeoutMs = 30_000;

let sessionEnded: () => void = () => {};

/** Called once per request that finds that the session has ended. */
export function onSessionEnded(listener: () => void): void {
  sessionEnded = listener;
}

/**
 * A request to the service, resolved with its JSON; undefined for 204. Reads are revalidated by ETag through the HTTP cache
 * of the browser, so that repeating one costs a 304. Throws an ApiError.
 */
export async function request<Result>(path: string, options: RequestOptions = {}): Promise<Result> {
  const response = await send(path, options);
  if (response.status === 204) return undefined as Result;
  const body = await readJson(response);
  if (response.ok) return body as Result;
  const error = errorOf(response, body);
  if (error.status === 401 && options.withoutSession !== true) sessionEnded();
  throw error;
}

export const get = <Result>(path: string, signal?: AbortSignal) =>
  request<Result>(path, signal === undefined ? {} : { signal });

export const post = <Result>(path: string, body: unknown = {}, options: RequestOptions = {}) =>
  request<Result>(path, { ...options, method: "POST", body });

/** A path with its parts encoded: `` path`/api/console/organizations/${id}/dashboard` ``. */
export function path(texts: TemplateStringsArray, ...values: (string | number)[]): string {
  return String.raw({ raw: texts }, ...values.map((value) => encodeURIComponent(value)));
}

async function send(url: string, { method = "GET", body, signal }: RequestOptions): Promise<Response> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method,
      cache: "no-cache",
      credentials: "same-origin",
      headers: { accept: "application/json", ...(body === undefined ? {} : { "content-type": "application/json" }) },
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    reportConnection(true);
    return response;
  } catch (error) {
    if (signal?.aborted) throw error;
    reportConnection(false);
    throw new ApiError("The service could not be reached", { status: 0, code: networkErrorCode });
  }
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    throw new ApiError(`The service sent an unexpected response (status ${response.status})`, {
      status: response.status,
      code: unexpectedResponseCode,
    });
  }
}

type ErrorBody = {
  error: string;
  code: string;
  request_id?: string;
  field?: string;
  details?: Record<string, unknown>;
};

function errorOf(response: Response, body: unknown): ApiError {
  if (!isErrorBody(body)) {
    const message = `The service sent an unexpected response (status ${response.status})`;
    return new ApiError(message, { status: response.status, code: unexpectedResponseCode });
  }
  const retryAfter = Number(response.headers.get("retry-after"));
  return new ApiError(body.error, {
    status: response.status,
    code: body.code,
    field: body.field,
    details: body.details,
    requestId: body.request_id ?? response.headers.get("x-request-id") ?? undefined,
    retryAfterSeconds: retryAfter > 0 ? retryAfter : undefined,
  });
}

function isErrorBody(body: unknown): body is ErrorBody {
  const { error, code } = (body ?? {}) as Partial<ErrorBody>;
  return typeof error === "string" && typeof code === "string";
}
