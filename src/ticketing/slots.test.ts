import { expect, it } from "vitest";
import { createSlots } from "./slots.js";

it("bounds the calls of an organization, and those of all together", () => {
  const slots = createSlots({ connections: 3, slotsPerOrganization: 2 });
  slots.acquire("a");
  const release = slots.acquire("a");
  expect(() => slots.acquire("a")).toThrow("Your organization has 2 requests to the ticketing platform in flight");
  slots.acquire("b");
  expect(() => slots.acquire("c")).toThrow("All organizations together have 3 requests");
  release();
  slots.acquire("c");
  expect(slots.inUse()).toBe(3);
});

it("frees a slot once, however often it is released", () => {
  const slots = createSlots({ connections: 10, slotsPerOrganization: 2 });
  const release = slots.acquire("a");
  slots.acquire("a");
  release();
  release();
  expect(slots.inUse()).toBe(1);
  slots.acquire("a");
  expect(() => slots.acquire("a")).toThrow("Your organization has 2 requests");
});
