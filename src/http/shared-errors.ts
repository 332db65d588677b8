/** Errors that any endpoint may answer, as both documents list them. */
export const sharedErrors: { status: number; error: string; condition: string; when: "always" | "key" | "body" }[] = [
  {
    status: 400,
    error: "free text",
    condition: "malformed input: the text names the field and what it expects",
    when: "always",
  },
  {
    status: 401,
    error: "Invalid or expired API key",
    condition: "key missing, invalid, expired or inactive",
    when: "key",
  },
  { status: 403, error: "free text", condition: "the key has no access to the requested resource", when: "key" },
  {
    status: 404,
    error: "Poster not found, Event not found, Conference not found",
    condition: "no such row, or no such path",
    when: "always",
  },
  {
    status: 405,
    error: "free text",
    condition: "method not allowed; the Allow header lists those that are",
    when: "always",
  },
  {
    status: 410,
    error: "This endpoint is deprecated …",
    condition: "removed marketing endpoint; use the poster endpoints",
    when: "key",
  },
  { status: 413, error: "free text", condition: "body too large", when: "body" },
  { status: 415, error: "free text", condition: "body is not application/json", when: "body" },
  {
    status: 429,
    error: "Rate limit exceeded …",
    condition: "rate limit exceeded; wait for the window reset (Retry-After)",
    when: "key",
  },
  {
    status: 500,
    error: "free text",
    condition: "server or database error; the text carries the request id",
    when: "always",
  },
];
