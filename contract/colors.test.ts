import fc from "fast-check";
import { describe, test } from "vitest";
import { contrast, inkOn, parseColor, readable, toHex } from "./colors.js";

describe("colors", () => {
  const anyColor = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);

  test("text colors have a contrast of at least 4.5 on any background", () => {
    fc.assert(
      fc.property(anyColor, anyColor, (backgroundHex, preferredHex) => {
        const background = parseColor(backgroundHex);
        const ink = parseColor(toHex(inkOn(background)));
        const accent = parseColor(toHex(readable(parseColor(preferredHex), background, 4.5)));
        return contrast(ink, background) >= 4.5 && contrast(accent, background) >= 4.5;
      }),
      { numRuns: 2000, seed: 7 },
    );
  });
});
