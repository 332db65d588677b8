import { vi } from "vitest";
import { pauseMs } from "../src/api/tools.ts";
import { firstRequestPollMs } from "../src/pages/keys/new-key-dialog.tsx";

/** Before a commit without a response is sent again, twice, and between two looks at whether a new key was used. */
const pauses = [pauseMs, 2 * pauseMs, firstRequestPollMs];

type Timer = (run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => NodeJS.Timeout;

/** Until the test ends, pages do soon what they would do after these pauses. */
export function skipPauses(): void {
  if (vi.isMockFunction(globalThis.setTimeout)) return;
  const skipping =
    (timer: Timer): Timer =>
    (run, ms = 0, ...args) =>
      timer(run, pauses.includes(ms) ? 20 : ms, ...args);
  const { setTimeout: wait, setInterval: repeat } = globalThis;
  vi.spyOn(globalThis, "setTimeout").mockImplementation(skipping(wait) as typeof wait);
  vi.spyOn(globalThis, "setInterval").mockImplementation(skipping(repeat) as typeof repeat);
}
