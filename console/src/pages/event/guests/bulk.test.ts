import { expect, it } from "vitest";
import type { GuestState } from "../../../../../contract/console/guests.ts";
import { ApiError } from "../../../api/api-error.ts";
import { planBulk, reasonOf, titleOf } from "./bulk-plan.ts";
import { type BulkProgress, runBulk } from "./bulk-run.ts";

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

it("says what is done with how many", () => {
  const plan = planBulk("check_in", states);
  expect(titleOf(plan)).toBe("Check in 1 guest");
  expect(reasonOf(plan)).toBe("Check in 1 guest from the guest list");
});

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);

function run(ids: string[], commit: (ids: string[]) => Promise<unknown>, isStopped = () => false) {
  const seen: BulkProgress[] = [];
  const waits: number[] = [];
  const outcome = runBulk({
    ids,
    size: 100,
    commit,
    isStopped,
    onProgress: (progress) => seen.push(progress),
    wait: async (ms) => void waits.push(ms),
  });
  return outcome.then((result) => ({ result, seen, waits }));
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
    const verdicts = [{ id: "1", refused: "Cannot approve" }];
    throw new ApiError("refused", { status: 409, code: "invalid_transition", details: { verdicts } });
  });
  expect(result).toEqual({ kind: "finished" });
  expect(seen).toEqual([{ done: 2, total: 3, refused: 1 }]);
});

it("leaves out those who are gone", async () => {
  const committed: string[][] = [];
  const { result, seen } = await run(numbers(3), async (ids) => {
    if (!ids.includes("2")) return committed.push(ids);
    throw new ApiError("gone", { status: 404, code: "not_found", details: { unknown_ids: ["2"] } });
  });
  expect(result).toEqual({ kind: "finished" });
  expect(committed).toEqual([["0", "1"]]);
  expect(seen).toEqual([{ done: 2, total: 3, refused: 1 }]);
});

it("leaves out one who is refused alone, whatever the details", async () => {
  const { result, seen } = await run(numbers(1), async () => {
    throw new ApiError("refused", { status: 409, code: "invalid_transition" });
  });
  expect(result).toEqual({ kind: "finished" });
  expect(seen).toEqual([{ done: 0, total: 1, refused: 1 }]);
});

it("waits where there are too many requests, as long as the service says", async () => {
  let calls = 0;
  const { result, waits } = await run(numbers(1), async () => {
    calls += 1;
    if (calls === 1) throw new ApiError("slow", { status: 429, code: "rate_limited", retryAfterSeconds: 2 });
    if (calls === 2) throw new ApiError("slow", { status: 429, code: "rate_limited" });
  });
  expect([result.kind, calls]).toEqual(["finished", 3]);
  expect(waits).toEqual([2000, 5000]);
});

it("is not sent again after a wait in which it was stopped", async () => {
  let calls = 0;
  const { result } = await run(
    numbers(1),
    async () => {
      calls += 1;
      if (calls === 1) throw new ApiError("slow", { status: 429, code: "rate_limited" });
    },
    () => calls > 0,
  );
  expect([result.kind, calls]).toEqual(["stopped", 1]);
});

it("does not name those among the rest who were left out", async () => {
  const { result } = await run(numbers(3), async (ids) => {
    if (!ids.includes("1")) throw new ApiError("Over capacity", { status: 409, code: "conflict" });
    const verdicts = [{ id: "1", refused: "Cannot approve" }];
    throw new ApiError("refused", { status: 409, code: "invalid_transition", details: { verdicts } });
  });
  expect(result).toEqual({ kind: "failed", message: "Over capacity", rest: ["0", "2"] });
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
