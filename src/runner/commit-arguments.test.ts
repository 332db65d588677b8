import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { timedKey, timeOfKey } from "./commit-arguments.js";

it("says when it was made, and is never the same twice", () => {
  const now = Date.parse("2031-05-01T18:00:00.123Z");
  const keys = Array.from({ length: 1000 }, () => timedKey(now));
  expect(new Set(keys).size).toBe(1000);
  for (const key of keys) expect([key.length, timeOfKey(key, now)]).toEqual([36, now]);
});

it.each([randomUUID(), "", "my-own-key", "01890a5d-ac96-7abc", "ffffffff-ffff-7fff-8fff-ffffffffffff"])(
  "is not %j",
  (key) => {
    expect(timeOfKey(key)).toBeUndefined();
  },
);
