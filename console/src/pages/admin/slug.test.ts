import { expect, it } from "vitest";
import { slugOf } from "./slug.ts";

it("makes slugs of names", () => {
  expect(slugOf("Open Web Days 2027")).toBe("open-web-days-2027");
  expect(slugOf(" ¡São João & Friends! ")).toBe("sao-joao-friends");
  expect(slugOf("???")).toBe("");
  expect(slugOf("a".repeat(101))).toHaveLength(100);
  expect(slugOf(`${"a".repeat(99)} b`)).toBe("a".repeat(99));
});
