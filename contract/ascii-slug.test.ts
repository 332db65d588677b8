import { expect, it } from "vitest";
import { asciiSlug } from "./ascii-slug.js";

it.each([
  ["Café Łódź & Friends!", "cafe-odz-friends"],
  ["  Späti — 2027  ", "spati-2027"],
  ["東京", ""],
  [`${"a".repeat(59)} bc`, "a".repeat(59)],
])("%s becomes %j", (name, slug) => {
  expect(asciiSlug(name, 60)).toBe(slug);
});
