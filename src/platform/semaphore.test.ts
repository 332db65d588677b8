import { expect, it } from "vitest";
import { createTurns } from "./semaphore.js";

it("runs so many at once, the others in line, and says when the line is full", async () => {
  const turns = createTurns({ atOnce: 2, waiting: 1 });
  const started: number[] = [];
  const open: (() => void)[] = [];
  const works = [0, 1, 2].map((index) =>
    turns.run(async () => {
      started.push(index);
      await new Promise<void>((resolve) => open.push(resolve));
      if (index === 0) throw new Error("failed");
      return index;
    }),
  );
  expect(turns.hasRoom()).toBe(false);
  expect(started).toEqual([0, 1]);
  open[0]?.();
  await expect(works[0]).rejects.toThrow("failed");
  expect(turns.hasRoom()).toBe(true);
  expect(started).toEqual([0, 1, 2]);
  open[1]?.();
  open[2]?.();
  expect(await Promise.all(works.slice(1))).toEqual([1, 2]);
  expect(await turns.run(async () => "free again")).toBe("free again");
});
