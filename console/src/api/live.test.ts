import { afterEach, beforeEach, expect, it, type MockInstance, vi } from "vitest";
import { follow } from "./live.ts";
import { queryClient } from "./query-client.ts";

class Source {
  static readonly CLOSED = 2;
  static opened: Source[] = [];
  readyState = 0;
  onopen = () => {};
  onerror = () => {};
  constructor() {
    Source.opened.push(this);
  }
  addEventListener() {}
  close() {}
}

let invalidate: MockInstance<typeof queryClient.invalidateQueries>;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", Source);
  vi.stubGlobal("document", { visibilityState: "visible" });
  Source.opened = [];
  invalidate = vi.spyOn(queryClient, "invalidateQueries").mockResolvedValue();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** How often everything was read again since the last call. */
function reads(): number {
  vi.advanceTimersByTime(1_000);
  const { length } = invalidate.mock.calls;
  invalidate.mockClear();
  return length;
}

it("reads everything again when the stream is back, because changes were missed, and not when it first opens", () => {
  const follower = follow("/changes", ["organization"]);
  const [source] = Source.opened;
  source?.onopen();
  expect(reads()).toBe(0);
  source?.onerror();
  expect(reads()).toBe(0);
  source?.onopen();
  expect(reads()).toBe(1);
  source?.onopen();
  expect(reads()).toBe(0);
  follower.close();
});

it("connects again after an error response, each time later, and reads now and then meanwhile", () => {
  const follower = follow("/changes", ["organization"]);
  const fail = () => {
    const source = Source.opened.at(-1);
    if (source === undefined) throw new Error("no connection");
    source.readyState = Source.CLOSED;
    source.onerror();
  };
  fail();
  vi.advanceTimersByTime(1_999);
  expect(Source.opened).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(Source.opened).toHaveLength(2);
  fail();
  vi.advanceTimersByTime(3_999);
  expect(Source.opened).toHaveLength(2);
  vi.advanceTimersByTime(1);
  expect(Source.opened).toHaveLength(3);
  invalidate.mockClear();
  vi.advanceTimersByTime(20_000);
  expect(invalidate).toHaveBeenCalledTimes(1);
  follower.close();
  invalidate.mockClear();
  vi.advanceTimersByTime(100_000);
  expect(invalidate).not.toHaveBeenCalled();
});
