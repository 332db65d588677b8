import { afterEach, beforeEach, expect, it, type MockInstance, vi } from "vitest";
import { createInvalidator, follow, parseChange } from "./live.ts";
import { queryClient } from "./query-client.ts";
import { eventKey, organizationKey } from "./query-keys.ts";

class Source {
  static readonly CLOSED = 2;
  static opened: Source[] = [];
  readyState = 0;
  onopen = () => {};
  onerror = () => {};
  constructor() {
    Source.opened.push(this);
  }
  isClosed = false;
  onchange = (_event: { data: string }) => {};
  addEventListener(_name: "change", listener: (event: { data: string }) => void) {
    this.onchange = listener;
  }
  close() {
    this.isClosed = true;
  }
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

/** Which of the queries would be read again. */
function readAgain(...keys: (readonly unknown[])[]): boolean[] {
  vi.advanceTimersByTime(1_000);
  const [filters] = invalidate.mock.lastCall ?? [];
  return keys.map((queryKey) => filters?.predicate?.({ queryKey } as never) ?? false);
}

it("reads again what a change concerns, once for several within a moment", () => {
  const follower = follow("/changes", organizationKey("o1"));
  const [source] = Source.opened;
  for (const id of ["e1", "e2"]) source?.onchange({ data: JSON.stringify({ topic: "event", id }) });
  source?.onchange({ data: "not JSON" });
  const keys = ["e1", "e2", "e3"].map((id) => eventKey("o1", id));
  expect(readAgain(...keys, organizationKey("o1", "list"))).toEqual([true, true, false, true]);
  expect(invalidate).toHaveBeenCalledTimes(1);
  follower.close();
  expect(source?.isClosed).toBe(true);
});

it("takes more than 50 changes within a moment for a change of everything", () => {
  const invalidator = createInvalidator(organizationKey("o1"));
  const add = (count: number) => {
    for (let index = 0; index < count; index++) invalidator.add({ topic: "event", id: `e${index}` });
  };
  add(50);
  expect(readAgain(eventKey("o1", "e49"), eventKey("o1", "other"))).toEqual([true, false]);
  add(51);
  expect(readAgain(eventKey("o1", "other"))).toEqual([true]);
  add(1);
  expect(readAgain(eventKey("o1", "e0"), eventKey("o1", "other"))).toEqual([true, false]);
});

it.each([
  ['{"topic":"event","id":"e1"}', { topic: "event", id: "e1" }],
  ['{"topic":"organization"}', { topic: "organization", id: null }],
  ['{"topic":"all","id":null}', { topic: "all", id: null }],
  ['{"topic":"weather","id":"e1"}', undefined],
  ["null", undefined],
])("reads the message %s", (data, change) => {
  expect(parseChange(data)).toEqual(change);
});

it("does not read again while nobody looks", () => {
  vi.stubGlobal("document", { visibilityState: "hidden" });
  const follower = follow("/changes", ["organization"]);
  Source.opened[0]?.onerror();
  vi.advanceTimersByTime(60_000);
  expect(invalidate).not.toHaveBeenCalled();
  vi.stubGlobal("document", { visibilityState: "visible" });
  vi.advanceTimersByTime(20_200);
  expect(invalidate).toHaveBeenCalledTimes(1);
  Source.opened[0]?.onopen();
  expect(reads()).toBeGreaterThan(0);
  vi.advanceTimersByTime(60_000);
  expect(invalidate).not.toHaveBeenCalled();
  Source.opened[0]?.onerror();
  vi.advanceTimersByTime(20_200);
  expect(invalidate).toHaveBeenCalledTimes(1);
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
