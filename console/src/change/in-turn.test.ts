import { expect, it } from "vitest";
import { inTurn } from "./in-turn.ts";

/** A change that takes until it is ended, with what it was told. */
function changeOf(paths: string[]) {
  let resolve = (_: string[]) => {};
  let reject = (_: Error) => {};
  const promise = new Promise<string[]>((...settle) => {
    [resolve, reject] = settle;
  });
  const told: (readonly string[])[] = [];
  const turn = inTurn(
    (changed) => {
      told.push(changed);
      return promise;
    },
    (result) => result,
  );
  return { told, turn, end: () => resolve(paths), fail: () => reject(new Error("failed")) };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

it("makes one change after the other, and tells what was changed meanwhile", async () => {
  const [first, second, third] = [changeOf(["name"]), changeOf(["venue"]), changeOf([])];
  await settled();
  expect([first.told, second.told, third.told]).toEqual([[[]], [], []]);
  first.end();
  await settled();
  expect([second.told, third.told]).toEqual([[["name"]], []]);
  second.end();
  await settled();
  expect(third.told).toEqual([["name", "venue"]]);
  third.end();
  await third.turn;
  await settled();
  const later = changeOf([]);
  await settled();
  expect(later.told).toEqual([[]]);
  later.end();
  await later.turn;
});

it("goes on after a change that failed", async () => {
  const [first, second] = [changeOf(["name"]), changeOf([])];
  const failure = expect(first.turn).rejects.toThrow("failed");
  first.fail();
  await failure;
  await settled();
  expect(second.told).toEqual([[]]);
  second.end();
  expect(await second.turn).toEqual([]);
});
