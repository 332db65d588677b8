import { expect, it } from "vitest";
import { initialsOf } from "./avatar.tsx";

it.each([
  ["Ana Maria Silva", "AS"],
  [" ana ", "A"],
  ["Ölaf 😀 Ünal", "ÖÜ"],
  ["😀 Bot", "😀B"],
  ["", ""],
])("%j has the initials %j", (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
