import { vi } from "vitest";

/** What the page would do after a pause of seconds, such as to ask or to try again, it does soon. Until the test ends. */
export function skipPauses(): void {
  const soon = (ms = 0) => (ms >= 500 && ms <= 5_000 ? 20 : ms);
  const { setTimeout: wait, setInterval: repeat } = globalThis;
  const skipping = (timer: typeof wait | typeof repeat) => (run: () => void, ms?: number) => timer(run, soon(ms));
  vi.spyOn(globalThis, "setTimeout").mockImplementation(skipping(wait) as typeof wait);
  vi.spyOn(globalThis, "setInterval").mockImplementation(skipping(repeat) as typeof repeat);
}
