import { expect, it } from "vitest";
import { findPage } from "./site.ts";

it("finds pages with and without a slash at the end", () => {
  expect(findPage("/docs/")?.title).toBe("Overview");
  expect(findPage("/docs/errors/")?.title).toBe("Errors");
  expect(findPage("/docs/errors")?.title).toBe("Errors");
  expect(findPage("/docs/errors/more")).toBeUndefined();
});
