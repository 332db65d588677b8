import { expect, it } from "vitest";
import type { GuestState } from "../../../../../contract/console/guests.ts";
import { namesOf, planBulk, reasonOf, skippedWords, statesOf, titleOf } from "./bulk-plan.ts";

const states: GuestState[] = [
  { id: "pending", name: "Pending", status: "pending", checked_in: false },
  { id: "approved", name: "Approved", status: "approved", checked_in: false },
  { id: "arrived", name: "Arrived", status: "approved", checked_in: true },
  { id: "waitlisted", name: "Waitlisted", status: "waitlisted", checked_in: false },
  { id: "declined", name: "Declined", status: "declined", checked_in: false },
];

it.each([
  ["approve", ["pending", "waitlisted"]],
  ["decline", ["pending", "approved", "waitlisted"]],
  ["waitlist", ["pending", "approved"]],
  ["restore", ["declined"]],
  ["check_in", ["approved"]],
] as const)("plans to %s only those who can be", (action, ids) => {
  const { guests, skipped } = planBulk(action, states);
  expect(guests.map(({ id }) => id)).toEqual(ids);
  expect(skipped).toBe(states.length - ids.length);
});

it("says what is done with how many", () => {
  const plan = planBulk("check_in", states);
  expect(titleOf(plan)).toBe("Check in 1 guest");
  expect(reasonOf(plan)).toBe("Checked in 1 guest from the guest list");
});

it("names the first guests, how many more there are, and the states that they have now", () => {
  const guest = (place: number, status: GuestState["status"]): GuestState => ({
    id: `${place}`,
    name: `Guest ${place}`,
    status,
    checked_in: false,
  });
  const few = planBulk("decline", [guest(1, "pending"), guest(2, "approved")]);
  expect(namesOf(few)).toEqual({ names: ["Guest 1", "Guest 2"], more: "" });
  expect(statesOf(few)).toBe("1 pending and 1 approved");
  const many = planBulk(
    "decline",
    Array.from({ length: 1505 }, (_, place) => guest(place, "waitlisted")),
  );
  expect(namesOf(many)).toEqual({ names: [0, 1, 2, 3, 4].map((place) => `Guest ${place}`), more: " and 1,500 more" });
  expect(statesOf(many)).toBe("1,505 waitlisted");
});

it("says how many stay as they are", () => {
  expect([1, 1200].map(skippedWords)).toEqual([
    "1 other of the selection stays as it is.",
    "1,200 others of the selection stay as they are.",
  ]);
});
