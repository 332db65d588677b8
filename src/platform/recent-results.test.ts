import { expect, it } from "vitest";
import { keepRecentResults } from "./recent-results.js";

it("makes a result once, forgets the one that was not used for longest, and does not keep failures", async () => {
  const recent = keepRecentResults<string>({ entries: 2, keptMs: () => 60_000 });
  const made: string[] = [];
  const get = (key: string) =>
    recent.getOrMake(key, async () => {
      made.push(key);
      if (key === "bad") throw new Error("failed");
      return key;
    });
  expect(await Promise.all([get("a"), get("a"), get("b")])).toEqual(["a", "a", "b"]);
  await get("a");
  await get("c");
  await get("a");
  expect(made).toEqual(["a", "b", "c"]);
  await get("b");
  expect(made).toEqual(["a", "b", "c", "b"]);
  for (let times = 0; times < 2; times++) await expect(get("bad")).rejects.toThrow("failed");
  expect(made.slice(4)).toEqual(["bad", "bad"]);
});

it("makes a result anew once its time is over", async () => {
  const recent = keepRecentResults<string>({ entries: 2, keptMs: (value) => (value === "brief" ? 0 : 60_000) });
  let made = 0;
  const get = (key: string) =>
    recent.getOrMake(key, async () => {
      made++;
      return key;
    });
  await get("brief");
  await get("brief");
  await get("long");
  await get("long");
  expect(made).toBe(3);
});
