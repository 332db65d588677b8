import { expect, it } from "vitest";
import { timezone } from "../../contract/schema/fields.js";
import { keptBytes } from "../support/memory.js";

/** What input can leave behind in memory. */

it("time-zone names leave nothing behind, whatever their length", () => {
  const before = keptBytes();
  for (let n = 0; n < 500; n += 1) {
    expect(timezone.safeParse(`Europe/${n}${"x".repeat(100_000)}`).success).toBe(false);
    expect(timezone.safeParse(`Europe/${n}`).success).toBe(false);
  }
  expect(keptBytes() - before).toBeLessThan(10_000_000);
});

it("time-zone names are valid in any case, and only up to 64 characters", () => {
  for (const name of ["Europe/Lisbon", "europe/lisbon", "America/Argentina/ComodRivadavia", "UTC", "Etc/GMT+5"]) {
    expect(timezone.safeParse(name).success).toBe(true);
    expect(timezone.safeParse(name).success).toBe(true);
  }
  for (const name of ["", "+01:00", "Europe/Nowhere", `UTC${" ".repeat(70)}`]) {
    expect(timezone.safeParse(name).success).toBe(false);
  }
});
