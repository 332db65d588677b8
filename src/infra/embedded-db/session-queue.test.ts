import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createSessionQueue, type SessionQueue } from "./session-queue.js";

const idleInTransactionTimeoutMs = 1_000;

let queue: SessionQueue;
let evicted: string[];

beforeEach(() => {
  vi.useFakeTimers();
  queue = createSessionQueue({ idleInTransactionTimeoutMs });
  evicted = [];
});
afterEach(() => {
  vi.useRealTimers();
});

const newClient = (name: string) => ({ evict: () => void evicted.push(name) });

it("grants the session in the order of requests, each when the one before has released it", async () => {
  const [first, second, third] = [newClient("first"), newClient("second"), newClient("third")];
  const granted: string[] = [];
  await queue.acquire(first);
  void queue.acquire(second).then(() => granted.push("second"));
  void queue.acquire(third).then(() => granted.push("third"));
  // Only the owner can release it.
  queue.release(third);
  await vi.advanceTimersByTimeAsync(0);
  expect(granted).toEqual([]);
  queue.release(first);
  await vi.advanceTimersByTimeAsync(0);
  expect(granted).toEqual(["second"]);
  queue.release(second);
  await vi.advanceTimersByTimeAsync(0);
  expect(granted).toEqual(["second", "third"]);
  expect(queue.isBusy()).toBe(true);
  queue.release(third);
  expect(queue.isBusy()).toBe(false);
});

it("evicts an owner that is idle for too long, once another client waits", async () => {
  const owner = newClient("owner");
  await queue.acquire(owner);
  queue.markIdle(owner);
  vi.advanceTimersByTime(10 * idleInTransactionTimeoutMs);
  expect(evicted).toEqual([]);
  void queue.acquire(newClient("other"));
  expect(evicted).toEqual(["owner"]);
});

it("does not evict an owner that runs a statement, however long it takes", async () => {
  const owner = newClient("owner");
  await queue.acquire(owner);
  queue.markIdle(owner);
  void queue.acquire(newClient("other"));
  await queue.acquire(owner);
  vi.advanceTimersByTime(10 * idleInTransactionTimeoutMs);
  expect(evicted).toEqual([]);
  queue.markIdle(owner);
  vi.advanceTimersByTime(idleInTransactionTimeoutMs - 1);
  expect(evicted).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(evicted).toEqual(["owner"]);
});

it("starts the time of the next owner anew when the one before was idle for too long", async () => {
  const [first, second, third] = [newClient("first"), newClient("second"), newClient("third")];
  await queue.acquire(first);
  queue.markIdle(first);
  vi.advanceTimersByTime(idleInTransactionTimeoutMs);
  queue.release(first);
  await queue.acquire(second);
  void queue.acquire(third);
  expect(evicted).toEqual([]);
  queue.markIdle(second);
  vi.advanceTimersByTime(idleInTransactionTimeoutMs - 1);
  expect(evicted).toEqual([]);
});
