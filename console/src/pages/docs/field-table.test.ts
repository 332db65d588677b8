import { expect, it } from "vitest";
import { sentence } from "./field-table.tsx";

it("makes sentences of phrases, but leaves names as they are", () => {
  expect(sentence("false on the last page")).toBe("False on the last page.");
  expect(sentence("expires_at of the key")).toBe("expires_at of the key.");
  expect(sentence("`true` to commit")).toBe("`true` to commit.");
  expect(sentence("one of:")).toBe("One of:");
  expect(sentence("Is it there?")).toBe("Is it there?");
});
