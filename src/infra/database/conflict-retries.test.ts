import pg from "pg";
import { afterEach, expect, it, vi } from "vitest";
import { retryConflicts } from "./conflict-retries.js";

afterEach(() => vi.restoreAllMocks());

it("gives up a lock although the clock is set back meanwhile", async () => {
  let nowMs = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 500));
  const { now } = Date;
  let isSetBack = false;
  vi.spyOn(Date, "now").mockImplementation(() => now() - (isSetBack ? 3_600_000 : 0));
  const locked = Object.assign(new pg.DatabaseError("locked", 0, "error"), { code: "55P03" });
  const change = retryConflicts(async () => {
    isSetBack = true;
    throw locked;
  });
  await expect(change).rejects.toMatchObject({ code: "unavailable" });
});
