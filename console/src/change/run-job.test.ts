import { expect, it } from "vitest";
import { ApiError, networkErrorCode } from "../api/api-error.ts";
import type { Committed, Preview } from "../api/tools.ts";
import { createJob, type JobItem, type JobProgress, pause } from "./run-job.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);

type Commit = (ids: string[], partOf: string | undefined) => Promise<unknown>;

/** A job whose commits are given the ids of their part. */
function jobOf(ids: string[], commit: Commit, options: Partial<Options> = {}) {
  const seen: JobProgress[] = [];
  const waits: number[] = [];
  let records = 0;
  const job = createJob({
    items: ids.map((id): JobItem => ({ id, count: 1 })),
    size: 100,
    preview: async (part) => ({ commit_with: { ids: part, key: `${part}` } }) as unknown as Preview,
    commit: async ({ commit_with }, partOf) => {
      await commit(commit_with.ids as string[], partOf);
      records += 1;
      return { record_id: `record ${records}` } as unknown as Committed;
    },
    onProgress: (progress) => seen.push(progress),
    wait: async (ms) => void waits.push(ms),
    ...options,
  });
  return { job, seen, waits };
}

type Options = Parameters<typeof createJob>[0];

async function run(...args: Parameters<typeof jobOf>) {
  const { job, ...rest } = jobOf(...args);
  return { result: await job.run(never()), job, ...rest };
}

const never = () => new AbortController().signal;

const refusalOf = (id: string) =>
  new ApiError("refused", {
    status: 409,
    code: "invalid_transition",
    details: { verdicts: [{ id, refused: "Cannot approve" }] },
  });

it("commits in parts, each after the first as a part of it, and reports each", async () => {
  const parts: [number, string | undefined][] = [];
  const { result, seen, job } = await run(numbers(250), async (ids, partOf) => parts.push([ids.length, partOf]));
  expect(result).toEqual({ kind: "finished" });
  expect(parts).toEqual([
    [100, undefined],
    [100, "record 1"],
    [50, "record 1"],
  ]);
  expect(seen.map(({ done }) => done)).toEqual([100, 200, 250]);
  expect(job.records()).toEqual(["record 1", "record 2", "record 3"]);
});

it("counts what an item counts for", async () => {
  const items = [500, 6].map((count) => ({ id: `${count}`, count }));
  const { seen } = await run([], async () => {}, { items, size: 1 });
  expect(seen.map(({ done, total }) => [done, total])).toEqual([
    [500, 506],
    [506, 506],
  ]);
});

it("leaves out those whom the service refuses, and changes the others", async () => {
  const { result, seen } = await run(numbers(3), async (ids) => {
    if (ids.includes("1")) throw refusalOf("1");
  });
  expect(result).toEqual({ kind: "finished" });
  expect(seen.at(-1)).toMatchObject({ done: 2, total: 3, refused: 1, refusal: "refused" });
});

it("leaves out those who are gone", async () => {
  const committed: string[][] = [];
  const { result, seen } = await run(numbers(3), async (ids) => {
    if (!ids.includes("2")) return committed.push(ids);
    throw new ApiError("gone", { status: 404, code: "not_found", details: { unknown_ids: ["2"] } });
  });
  expect(result).toEqual({ kind: "finished" });
  expect(committed).toEqual([["0", "1"]]);
  expect(seen.at(-1)).toMatchObject({ done: 2, refused: 1 });
});

it("leaves out a part of one that is refused, by the codes that are given", async () => {
  const conflict = async () => {
    throw new ApiError("changed since", { status: 409, code: "conflict" });
  };
  expect((await run(numbers(1), conflict)).result).toEqual({ kind: "failed", message: "changed since" });
  const { result, seen } = await run(numbers(2), conflict, { size: 1, refusals: ["conflict"] });
  expect(result).toEqual({ kind: "finished" });
  expect(seen.at(-1)).toMatchObject({ done: 0, refused: 2, refusal: "changed since" });
});

it("waits where there are too many requests, as long as the service says", async () => {
  let calls = 0;
  const { result, waits, seen } = await run(numbers(1), async () => {
    calls += 1;
    if (calls === 1) throw new ApiError("slow", { status: 429, code: "rate_limited", retryAfterSeconds: 2 });
    if (calls === 2) throw new ApiError("slow", { status: 429, code: "rate_limited" });
  });
  expect([result.kind, calls]).toEqual(["finished", 3]);
  expect(waits).toEqual([2000, 5000]);
  expect(seen.map((progress) => progress.waits)).toEqual([true, false, true, false, false]);
});

it("ends a wait at once when it is told to stop, and sends nothing again", async () => {
  let calls = 0;
  const stop = new AbortController();
  const { job } = jobOf(
    numbers(1),
    async () => {
      calls += 1;
      setTimeout(() => stop.abort(), 1);
      throw new ApiError("slow", { status: 429, code: "rate_limited", retryAfterSeconds: 3600 });
    },
    { wait: pause },
  );
  expect(await job.run(stop.signal)).toEqual({ kind: "stopped" });
  expect(calls).toBe(1);
});

it("previews a part again that somebody changed in between, a few times", async () => {
  let previews = 0;
  const conflict = (times: number) =>
    run(
      numbers(1),
      async () => {
        if (previews <= times) throw new ApiError("changed", { status: 409, code: "version_conflict" });
      },
      {
        preview: async () => {
          previews += 1;
          return { commit_with: {} } as unknown as Preview;
        },
      },
    );
  expect((await conflict(2)).result).toEqual({ kind: "finished" });
  previews = 0;
  expect((await conflict(5)).result).toEqual({ kind: "failed", message: "changed" });
  expect(previews).toBe(3);
});

it("counts conflicts of each part anew", async () => {
  let attempts = 0;
  const everyOther = async () => {
    attempts += 1;
    if (attempts % 3 !== 0) throw new ApiError("changed", { status: 409, code: "version_conflict" });
  };
  expect((await run(numbers(4), everyOther, { size: 1 })).result).toEqual({ kind: "finished" });
});

it("commits each part as a change of its own where it is told to", async () => {
  const parts: (string | undefined)[] = [];
  const { job } = await run(numbers(2), async (_, partOf) => parts.push(partOf), { size: 1, separately: true });
  expect([parts, job.records()]).toEqual([
    [undefined, undefined],
    ["record 1", "record 2"],
  ]);
});

it("repeats the same commit where no response arrived, so that it is known as the first part", async () => {
  const previews: string[][] = [];
  const sent: unknown[] = [];
  const { job } = jobOf(numbers(150), async () => {}, {
    preview: async (ids) => {
      previews.push(ids);
      return { commit_with: { key: previews.length } } as unknown as Preview;
    },
    commit: async ({ commit_with }, partOf) => {
      sent.push([commit_with.key, partOf]);
      if (sent.length === 1) throw new ApiError("no response", { status: 0, code: networkErrorCode });
      return { record_id: `record ${sent.length}` } as unknown as Committed;
    },
  });
  expect(await job.run(never())).toMatchObject({ kind: "failed" });
  expect(await job.run(never())).toEqual({ kind: "finished" });
  expect(sent).toEqual([
    [1, undefined],
    [1, undefined],
    [2, "record 2"],
  ]);
});

it("stops at a failure, and goes on with those who were not changed", async () => {
  const committed: string[][] = [];
  let isFull = true;
  const { job, seen } = jobOf(numbers(250), async (ids) => {
    if (ids.includes("120")) throw refusalOf("120");
    if (ids.includes("150") && isFull) throw new ApiError("Over capacity", { status: 409, code: "over_capacity" });
    committed.push(ids);
  });
  expect(await job.run(never())).toEqual({ kind: "failed", message: "Over capacity" });
  expect(seen.at(-1)?.done).toBe(100);
  isFull = false;
  expect(await job.run(never())).toEqual({ kind: "finished" });
  expect(committed.map(({ length }) => length)).toEqual([100, 99, 50]);
  expect(seen.at(-1)).toMatchObject({ done: 249, refused: 1 });
});

it("stops when it is told to, and goes on after that", async () => {
  let stop = new AbortController();
  const { job, seen } = jobOf(numbers(250), async () => stop.abort());
  expect(await job.run(stop.signal)).toEqual({ kind: "stopped" });
  expect(seen.at(-1)?.done).toBe(100);
  stop = new AbortController();
  expect(await job.run(stop.signal)).toEqual({ kind: "stopped" });
  expect(seen.at(-1)?.done).toBe(200);
});
