import type { documentedErrors } from "../../contract/errors.js";
import { type Json, jsonContent } from "./json-schema.js";

/** Parts of an OpenAPI document that the endpoints share. */

/** Headers that responses refer to. */
export const headerComponents = {
  ETag: { description: "identifies this representation; strong", schema: { type: "string" } },
  RetryAfter: { description: "seconds until a new attempt is worthwhile", schema: { type: "integer" } },
  RateLimitLimit: { description: "requests per window", schema: { type: "integer" } },
  RateLimitRemaining: { description: "requests that remain in this window", schema: { type: "integer" } },
  RateLimitReset: { description: "when the window ends, as a Unix timestamp", schema: { type: "integer" } },
  IgnoredQueryParameters: {
    description: "the query parameters of the request that this operation does not have",
    schema: { type: "string" },
  },
  IgnoredFields: {
    description: "the fields of the body that this operation does not have",
    schema: { type: "string" },
  },
  NextPage: { description: 'the next page, as rel="next"', schema: { type: "string" } },
} as const;

export function header(name: keyof typeof headerComponents): Json {
  return { $ref: `#/components/headers/${name}` };
}

/** Every response to a request with a valid key has these. */
export const rateLimitHeaders = {
  "X-RateLimit-Limit": header("RateLimitLimit"),
  "X-RateLimit-Remaining": header("RateLimitRemaining"),
  "X-RateLimit-Reset": header("RateLimitReset"),
};

type DocumentedError = ReturnType<typeof documentedErrors>[number];

/** Error responses by status. `content` is the body: the service's error body unless an endpoint has its own. */
export function errorResponses(errors: DocumentedError[], content: Json = errorContent): Json {
  return Object.fromEntries(
    errors.map(({ status, code, condition }) => [status, errorResponse(status, condition, code, content)]),
  );
}

export function errorResponse(status: number, description: string, code: string, content: Json = errorContent): Json {
  return {
    description,
    "x-code": code,
    ...(status === 429 || status === 503 ? { headers: { "Retry-After": header("RetryAfter") } } : {}),
    content,
  };
}

const errorContent = jsonContent({ $ref: "#/components/schemas/Error" });
