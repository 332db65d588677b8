import { describe, expect, it } from "vitest";
import { requestIdOf, traceParentOf } from "./request-id.js";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const spanId = "00f067aa0ba902b7";
const traceparent = `00-${traceId}-${spanId}-01`;
const uuid = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

describe("the request id", () => {
  it.each(["abcdefgh", "0c1f3f9e-6a1f-4b6b-9a41-0d3d6ad1c7e5", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "x".repeat(64)])(
    "is that of the caller: %s",
    (id) => {
      expect(requestIdOf({ "x-request-id": id, traceparent })).toBe(id);
    },
  );

  it.each([
    "",
    "short",
    "x".repeat(65),
    `svc_mk_${"a".repeat(43)}`,
    "g-4QfX81mZpT",
    "guest@example.com",
    "a b c d e f g",
    'id","level":60',
    "abcdefgh\n",
    "äöüäöüäö",
  ])("is a new one instead of %j", (id) => {
    expect(requestIdOf({ "x-request-id": id })).toMatch(uuid);
    expect(requestIdOf({ "x-request-id": id, traceparent })).toBe(traceId);
  });
});

describe("the trace of the caller", () => {
  it("is continued", () => {
    expect(traceParentOf({ traceparent })).toEqual({ traceId, parentSpanId: spanId, sampled: true });
    expect(traceParentOf({ traceparent: `00-${traceId}-${spanId}-00` }).sampled).toBe(false);
  });

  it.each([
    `01-${traceId}-${spanId}-01`,
    `00-${"0".repeat(32)}-${spanId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId}-${spanId}-01-more`,
    `00-${traceId}-${spanId}`,
    "",
  ])("is not %s", (invalid) => {
    expect(requestIdOf({ traceparent: invalid })).toMatch(uuid);
    expect(traceParentOf({ traceparent: invalid })).toEqual({
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      parentSpanId: null,
      sampled: true,
    });
  });
});
