import { expect, it } from "vitest";
import { createSlots } from "./forward.js";

const limits = { connections: 3, slotsPerOrganization: 2, waitingPerOrganization: 0, slotWaitMs: 60_000 };

it("bounds the calls of an organization, and those of all together", async () => {
  const slots = createSlots(limits);
  await slots.acquire("a");
  const release = await slots.acquire("a");
  await expect(slots.acquire("a")).rejects.toThrow(
    "Your organization has 2 requests to the ticketing platform in flight",
  );
  await slots.acquire("b");
  await expect(slots.acquire("c")).rejects.toThrow("All organizations together have 3 requests");
  release();
  await slots.acquire("c");
  expect(slots.inUse()).toBe(3);
});

it("frees a slot once, however often it is released", async () => {
  const slots = createSlots({ ...limits, connections: 10 });
  const release = await slots.acquire("a");
  await slots.acquire("a");
  release();
  release();
  expect(slots.inUse()).toBe(1);
  await slots.acquire("a");
  await expect(slots.acquire("a")).rejects.toThrow("Your organization has 2 requests");
});

it("lets as many calls as allowed wait, in their order, and others of other organizations pass", async () => {
  const slots = createSlots({ ...limits, waitingPerOrganization: 2 });
  const order: string[] = [];
  const releases = [await slots.acquire("a"), await slots.acquire("a")];
  const waiting = ["first", "second"].map(async (name) => {
    releases.push(await slots.acquire("a"));
    order.push(name);
  });
  await expect(slots.acquire("a")).rejects.toThrow("Your organization has 2 requests");
  const other = await slots.acquire("b");
  expect(order).toEqual([]);
  other();
  expect(slots.inUse()).toBe(2);
  for (let given = 0; given < 4; given += 1) {
    releases[given]?.();
    await Promise.resolve();
    await Promise.resolve();
  }
  await Promise.all(waiting);
  expect(order).toEqual(["first", "second"]);
  for (const release of releases) release();
  expect(slots.inUse()).toBe(0);
});

it("ends waiting after a time, and gives the slot to the next", async () => {
  const slots = createSlots({ ...limits, slotsPerOrganization: 1, waitingPerOrganization: 5, slotWaitMs: 20 });
  const release = await slots.acquire("a");
  await expect(slots.acquire("a")).rejects.toThrow("Your organization has 1 requests");
  release();
  await slots.acquire("a");
  expect(slots.inUse()).toBe(1);
});
