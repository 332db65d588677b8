import { expect, it } from "vitest";
import { ApiError } from "../../api/api-error.ts";
import { planBulk } from "./bulk-plan.ts";
import { type BulkProgress, runBulk } from "./bulk-run.ts";
import type { GuestState } from "./guests-api.ts";

const states: GuestState[] = [
  { id: "pending", status: "pending", checked_in: false },
  { id: "approved", status: "approved", checked_in: false },
  { id: "arrived", status: "approved", checked_in: true },
  { id: "waitlisted", status: "waitlisted", checked_in: false },
  { id: "declined", status: "declined", checked_in: false },
];

it.each([
  ["approve", ["pending", "waitlisted"]],
  ["decline", ["pending", "approved", "waitlisted"]],
  ["waitlist", ["pending", "approved"]],
  ["restore", ["declined"]],
  ["check_in", ["approved"]],
] as const)("plans to %s only those who can be", (action, ids) => {
  expect(planBulk(action, states)).toEqual({ action, ids, skipped: states.length - ids.length });
});

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);

function run(ids: string[], commit: (ids: string[]) => Promise<unknown>, isStopped = () => false) {
  const seen: BulkProgress[] = [];
  const outcome = runBulk({
    ...{ ids, size: 100, commit, isStopped },
    onProgress: (progress) => seen.push(progress),
    wait: async () => {},
  });
  return outcome.then((result) => ({ result, seen }));
}

it("commits in parts and reports each", async () => {
  const parts: number[] = [];
  const { result, seen } = await run(numbers(250), async (ids) => parts.push(ids.length));
  expect(result).toEqual({ kind: "finished" });
  expect(parts).toEqual([100, 100, 50]);
  expect(seen.map(({ done }) => done)).toEqual([100, 200, 250]);
});

it("leaves out those whom the service refuses, and changes the others", async () => {
  const { result, seen } = await run(numbers(3), async (ids) => {
    if (!ids.includes("1")) return;
    const verdicts = { "0": "possible", "1": "Cannot approve", "2": "unchanged" };
    throw new ApiError("refused", { status: 409, code: "invalid_transition", details: { verdicts } });
  });
  expect(result).toEqual({ kind: "finished" });
  expect(seen).toEqual([{ done: 2, total: 3, refused: 1 }]);
});

it("waits where there are too many requests", async () => {
  let calls = 0;
  const { result } = await run(numbers(1), async () => {
    calls += 1;
    if (calls < 3) throw new ApiError("slow", { status: 429, code: "rate_limited", retryAfterSeconds: 1 });
  });
  expect([result.kind, calls]).toEqual(["finished", 3]);
});

it("stops at a failure and names the rest", async () => {
  const { result, seen } = await run(numbers(250), async (ids) => {
    if (ids.includes("150")) throw new ApiError("Over capacity", { status: 409, code: "conflict" });
  });
  expect(result).toEqual({ kind: "failed", message: "Over capacity", rest: numbers(250).slice(100) });
  expect(seen.at(-1)?.done).toBe(100);
});

it("stops when it is told to", async () => {
  let stopped = false;
  const { result, seen } = await run(
    numbers(250),
    async () => (stopped = true),
    () => stopped,
  );
  expect(result).toEqual({ kind: "stopped" });
  expect(seen.at(-1)?.done).toBe(100);
});
