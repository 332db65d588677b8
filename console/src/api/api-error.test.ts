import { describe, expect, it } from "vitest";
import { ApiError, isTemporary, messageOf, problemOf, titleOf } from "./api-error.ts";

const error = (status: number, code: string, parts: Partial<ApiError> = {}, message = "Why") =>
  new ApiError(message, { ...parts, status, code });

describe("an error", () => {
  it.each([
    [error(0, "network"), "The service could not be reached. Check the connection and try again."],
    [error(429, "rate_limited"), "Too many requests. Wait a moment and try again."],
    [error(429, "rate_limited", { retryAfterSeconds: 0.2 }), "Too many requests. Try again in 1 second."],
    [error(429, "rate_limited", { retryAfterSeconds: 89 }), "Too many requests. Try again in 89 seconds."],
    [error(429, "rate_limited", { retryAfterSeconds: 90 }), "Too many requests. Try again in 2 minutes."],
    [error(429, "rate_limited", { retryAfterSeconds: 601 }), "Too many requests. Try again in 11 minutes."],
    [error(403, "forbidden"), "Why"],
  ])("%# says: %s", (given, message) => {
    expect(messageOf(given)).toBe(message);
  });

  it("of the page itself does not show its own words", () => {
    expect(messageOf(new TypeError("x is undefined"))).toMatch(/^Something went wrong in this page\./);
  });

  it.each([
    [0, true],
    [400, false],
    [409, false],
    [429, true],
    [499, false],
    [500, true],
    [503, true],
  ])("with status %i is temporary: %s", (status, expected) => {
    expect(isTemporary(error(status, "code"))).toBe(expected);
  });

  it.each([
    [error(0, "network"), "No connection"],
    [error(403, "forbidden"), "No permission"],
    [error(429, "rate_limited"), "Too many requests"],
    [error(503, "unavailable"), "The service has a problem"],
    [error(400, "invalid_input"), undefined],
    [new TypeError("x is undefined"), "This page has a problem"],
  ])("%# has the title %s", (given, title) => {
    expect(titleOf(given)).toBe(title);
  });

  it("names a field in words", () => {
    const named = (field: string) => messageOf(error(400, "invalid_input", { field }, `${field}: expected an address`));
    expect(named("website_url")).toBe("Website address: expected an address");
    expect(named("links[0].url")).toBe("links[0].url: expected an address");
  });

  it("of a field is said at the field, without its name", () => {
    const field = "password";
    const long = error(400, "invalid_input", { field }, "password: expected at least 10 characters");
    expect(problemOf(long)).toEqual({ text: "Expected at least 10 characters.", field });
    expect(problemOf(error(409, "conflict", { field }, "It is taken"))).toEqual({ text: "It is taken", field });
    expect(problemOf(error(409, "conflict", {}, "name: taken"))).toEqual({ text: "name: taken", field: undefined });
  });
});
