import { expect } from "vitest";
import type { ErrorCode } from "../../contract/errors.js";

/** What an error of REST or the ticketing proxy looks like, to compare a body with. */
export function errorBody(code: ErrorCode, error: unknown = expect.any(String), field?: string): object {
  return {
    error,
    code,
    request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    ...(field === undefined ? {} : { field }),
  };
}
