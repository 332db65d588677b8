import { afterEach, expect, it, vi } from "vitest";
import type { DoorGuest } from "../../../../../contract/console/guests.ts";
import { describeArrival, refusalOf } from "./verdict.ts";

afterEach(() => void vi.useRealTimers());

it.each([
  ["approved", undefined],
  ["pending", "Not approved"],
  ["waitlisted", "On the waiting list"],
  ["declined", "Declined"],
] as const)("lets in or refuses a guest who is %s", (status, title) => {
  const guest = { id: "ana", status } as DoorGuest;
  expect(refusalOf(guest)).toEqual(title && { kind: "refused", guest, title, message: expect.any(String) });
});

it.each([
  ["2031-05-02T11:02:00Z", "Ana", "Checked in at 20:02 by Ana"],
  ["2031-05-01T15:02:00Z", null, "Checked in at 00:02"],
  ["2031-05-01T14:58:00Z", "Ana", "Checked in on Thu 1 May at 23:58 by Ana"],
  [null, "Ana", "Checked in by Ana"],
  [null, null, "Checked in"],
])("says of an arrival at %s by %s: %s", (at, by, words) => {
  vi.useFakeTimers({ now: Date.parse("2031-05-02T12:00:00Z"), toFake: ["Date"] });
  expect(describeArrival({ at, by }, "Asia/Tokyo")).toBe(words);
});
