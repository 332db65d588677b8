import { expect, it } from "vitest";
import { required, slugOf } from "./use-draft.ts";

it("makes slugs of names", () => {
  expect(slugOf("Open Web Days 2027")).toBe("open-web-days-2027");
  expect(slugOf(" ¡São João & Friends! ")).toBe("sao-joao-friends");
  expect(slugOf("???")).toBe("");
  expect(slugOf("a".repeat(101))).toHaveLength(100);
});

it("takes spaces for nothing", () => {
  expect(required(" ", "a name")).toBe("Enter a name");
  expect(required(null, "a name")).toBe("Enter a name");
  expect(required("Ana", "a name")).toBeUndefined();
});
