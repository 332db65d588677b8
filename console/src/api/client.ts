import type { z } from "zod";
import type { ConsoleOperations } from "../../../contract/console/operations.ts";
import { consolePaths, type OperationName, type PathParameters } from "../../../contract/console/paths.ts";
import { ApiError, networkErrorCode, unexpectedResponseCode } from "./api-error.ts";
import { reportConnection } from "./connection.ts";
import { renewalCount } from "./renewal.ts";
import { type Progress, sendFile } from "./send-file.ts";

/** Required only if one of its members is. */
type Query<Operation> = Operation extends { query: infer Schema }
  ? Record<string, never> extends z.input<Schema>
    ? { query?: z.input<Schema> }
    : { query: z.input<Schema> }
  : unknown;
type Body<Operation> = Operation extends { body: infer Schema } ? { body: z.input<Schema> } : unknown;
type Output<Operation> = Operation extends { response: infer Schema } ? z.output<Schema> : undefined;

type Addresses = { [Name in OperationName]: PathParameters<Name> & Query<ConsoleOperations[Name]> };
type Inputs = { [Name in OperationName]: Addresses[Name] & Body<ConsoleOperations[Name]> };
type Responses = { [Name in OperationName]: Output<ConsoleOperations[Name]> };

/** The parameters of the path, and the query. What has no value is left out of the address. */
export type AddressInput<Name extends OperationName> = Addresses[Name];

/** The JSON of a response; of operations that declare none, nothing. */
export type ResponseOf<Name extends OperationName> = Responses[Name];

export type CallOptions = {
  signal?: AbortSignal;
  /** A 401 is an answer to this request, such as a wrong password, and does not mean that the session has ended. */
  withoutSession?: boolean;
};

/** Operations whose body is a file. */
export type FileOperation = {
  [Name in OperationName]: ConsoleOperations[Name] extends { file: object } ? Name : never;
}[OperationName];

const timeoutMs = 30_000;
/** For the largest file over a slow connection. */
const fileTimeoutMs = 300_000;

let sessionEnded = (_since: number): Promise<boolean> => Promise.resolve(false);

/**
 * Called by each request that finds that the session has ended, with the count of renewals when it was sent; it is sent
 * again if the result is true.
 */
export function onSessionEnded(listener: (since: number) => Promise<boolean>): void {
  sessionEnded = listener;
}

/**
 * Calls an operation of the contract, `call("event", { organization, event })`. Reads are revalidated by ETag through the
 * HTTP cache of the browser, so that repeating one costs a 304. Throws an ApiError.
 */
export function call<Name extends OperationName>(
  name: Name,
  input: Inputs[Name],
  options: CallOptions = {},
): Promise<ResponseOf<Name>> {
  const { body } = input as { body?: unknown };
  const method = consolePaths[name].split(" ")[0] ?? "";
  // Tests validate the responses of every operation.
  return request(addressOf(name, input), {
    ...options,
    method,
    body: method === "POST" ? (body ?? {}) : undefined,
  }) as Promise<ResponseOf<Name>>;
}

/** Calls an operation of the contract with a file. */
export function upload<Name extends FileOperation>(
  name: Name,
  input: AddressInput<Name>,
  file: Blob,
  options: CallOptions & { onProgress: Progress },
): Promise<ResponseOf<Name>> {
  return request(addressOf(name, input), { ...options, method: "POST", file }) as Promise<ResponseOf<Name>>;
}

/** The address of an operation, for links, downloads, images and streams. */
export function addressOf<Name extends OperationName>(name: Name, input: AddressInput<Name>): string {
  const { query = {}, ...parameters } = input as Record<string, unknown> & { query?: object };
  const path = (consolePaths[name].split(" ")[1] ?? "").replaceAll(/:(\w+)/g, (_, parameter: string) =>
    encodeURIComponent(String(parameters[parameter])),
  );
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

type Request = CallOptions & { method?: string; body?: unknown; file?: Blob; onProgress?: Progress };

/** A request to the service, resolved with its JSON; undefined for 204. */
export async function request(address: string, options: Request = {}): Promise<unknown> {
  options.signal?.throwIfAborted();
  const since = renewalCount();
  const response = await send(address, options);
  if (response.status === 204) return undefined;
  const body = await readJson(response);
  if (response.ok) return body;
  const error = errorOf(response, body);
  if (error.status !== 401 || options.withoutSession === true || !(await sessionEnded(since))) throw error;
  return request(address, options);
}

/** What boot.js has asked for already, once. */
function takeEarlyResponse(address: string): Promise<Response> | undefined {
  const { earlyResponses = {} } = globalThis as { earlyResponses?: Record<string, Promise<Response>> };
  const response = earlyResponses[address];
  delete earlyResponses[address];
  return response;
}

async function send(address: string, options: Request): Promise<Response> {
  const { method = "GET", file, signal } = options;
  const timeout = AbortSignal.timeout(file === undefined ? timeoutMs : fileTimeoutMs);
  try {
    const ended = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
    const early = method === "GET" ? takeEarlyResponse(address) : undefined;
    const response = await unlessAborted(ended, early ?? ask(address, { ...options, method, signal: ended }));
    reportConnection(true);
    return response;
  } catch (error) {
    if (signal?.aborted) throw error;
    reportConnection(false);
    throw new ApiError("The service could not be reached", { status: 0, code: networkErrorCode });
  }
}

function ask(
  address: string,
  { method, body, file, signal, onProgress = () => {} }: Request & { method: string; signal: AbortSignal },
): Promise<Response> {
  if (file !== undefined) return sendFile(address, file, { method, signal, onProgress });
  return fetch(address, {
    method,
    cache: "no-cache",
    credentials: "same-origin",
    headers: { accept: "application/json", ...(body === undefined ? {} : { "content-type": "application/json" }) },
    body: body === undefined ? null : JSON.stringify(body),
    signal,
  });
}

/** What boot.js has asked for has no signal of its own. */
const unlessAborted = <Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });

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
