import { expect, it } from "vitest";
import { parseUrl } from "./urls.js";

it("parses URLs with letters outside ASCII, also after many calls", () => {
  for (let n = 0; n < 100_000; n++) parseUrl("https://x.example/");
  expect(parseUrl("https://bücher.example/straße")?.hostname).toBe("xn--bcher-kva.example");
});

it("returns undefined for what is not a URL", () => {
  expect(parseUrl("no url")).toBeUndefined();
  expect(parseUrl("/images/a.png", "https://svc.test")?.href).toBe("https://svc.test/images/a.png");
});
