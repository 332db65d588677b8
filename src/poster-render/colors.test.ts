import fc from "fast-check";
import { describe, test } from "vitest";
import { contrast, inkOn, parseColor, readable, toHex } from "./colors.js";

describe("colours", () => {
  const anyColor = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);

  test("text is readable on any colour", () => {
    fc.assert(
      fc.property(anyColor, anyColor, (background, wished) => {
        const ground = parseColor(background);
        const ink = parseColor(toHex(inkOn(ground)));
        const accent = parseColor(toHex(readable(parseColor(wished), ground, 4.5)));
        return contrast(ink, ground) >= 4.5 && contrast(accent, ground) >= 4.5;
      }),
      { numRuns: 2000, seed: 7 },
    );
  });
});
