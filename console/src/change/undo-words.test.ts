import { expect, it } from "vitest";
import { undoReason, undoTitle } from "./undo-words.ts";

it.each([
  ["Changed the venue", "Undid “Changed the venue”"],
  ["Undid “Changed the venue” of Thu 1 May", "Redid “Changed the venue” of Thu 1 May"],
  ["Redid “Changed the venue” of Thu 1 May", "Undid “Changed the venue” of Thu 1 May"],
  ["Undid the check-in of Ana", "Undid “Undid the check-in of Ana”"],
  ["Renamed “Pier” to “Undid “Pier””", "Undid “Renamed “Pier” to “Undid “Pier”””"],
])("says of undoing “%s”: %s", (reason, undoing) => {
  expect(undoReason(reason)).toBe(undoing);
});

it("calls the undoing of an undoing by its opposite in a title, too", () => {
  expect(undoTitle("Decline 7 guests")).toBe("Undo “Decline 7 guests”");
  expect(undoTitle(undoTitle("Decline 7 guests"))).toBe("Redo “Decline 7 guests”");
});

it("keeps to the length of a reason", () => {
  expect(undoReason("a".repeat(500))).toHaveLength(500);
});
