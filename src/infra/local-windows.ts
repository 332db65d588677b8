export type WindowState = { count: number; msLeft: number };

export type LocalWindows = {
  /** Counts one more in the window of this key, which starts with its first. */
  count(key: string): WindowState;
  /** Takes one back. */
  refund(key: string): void;
  size(): number;
};

type Window = { count: number; endsAt: number };

/**
 * Fixed windows in the memory of this process. A few lines instead of a library, because they run without a promise, a timer
 * or a new object for each request. They use a clock that nobody sets.
 */
export function createLocalWindows(seconds: number): LocalWindows {
  const lengthMs = seconds * 1000;
  const windows = new Map<string, Window>();
  let sweepAt = performance.now() + lengthMs;

  function sweep(now: number): void {
    sweepAt = now + lengthMs;
    for (const [key, { endsAt }] of windows) if (endsAt <= now) windows.delete(key);
  }

  return {
    count(key) {
      const now = performance.now();
      if (now >= sweepAt) sweep(now);
      let window = windows.get(key);
      if (window === undefined) {
        window = { count: 0, endsAt: now + lengthMs };
        windows.set(key, window);
      } else if (window.endsAt <= now) {
        // Reused, because with many keys a new object per minute and key is costly to collect.
        window.count = 0;
        window.endsAt = now + lengthMs;
      }
      window.count += 1;
      return { count: window.count, msLeft: window.endsAt - now };
    },
    refund(key) {
      const window = windows.get(key);
      if (window !== undefined && window.count > 0) window.count -= 1;
    },
    size: () => windows.size,
  };
}
