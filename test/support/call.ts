import { checkConsoleResponse } from "./console-responses.js";
import { spreadsRequests } from "./processes.js";

export type Reply = { status: number; headers: Headers; text: string; json: Json };
// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
type Json = any;

export type CallOptions = { key?: string; body?: unknown; headers?: Record<string, string>; method?: string };

/** One HTTP request. The method is GET, or PATCH if there is a body. */
export async function call(url: string, path: string, options: CallOptions = {}): Promise<Reply> {
  const { key, body, headers = {}, method = body === undefined ? "GET" : "PATCH" } = options;
  const response = await fetch(url + path, {
    method,
    redirect: "manual",
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(spreadsRequests ? { connection: "close" } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isRaw(body) ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  checkConsoleResponse(method, path, { status: response.status, text });
  const isJson = response.headers.get("content-type")?.startsWith("application/json") && text !== "";
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
}

/** Text, or the bytes of a file. */
const isRaw = (body: unknown): body is string | Buffer<ArrayBuffer> =>
  typeof body === "string" || Buffer.isBuffer(body);
