import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLocalWindows } from "./local-windows.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

describe("windows in memory", () => {
  it("count from the first of each key until the window is over", () => {
    const windows = createLocalWindows(60);
    expect(windows.count("a")).toEqual({ count: 1, msLeft: 60_000 });
    vi.advanceTimersByTime(59_999);
    expect(windows.count("a")).toEqual({ count: 2, msLeft: 1 });
    expect(windows.count("b")).toEqual({ count: 1, msLeft: 60_000 });
    vi.advanceTimersByTime(1);
    expect(windows.count("a")).toEqual({ count: 1, msLeft: 60_000 });
    vi.advanceTimersByTime(1);
    expect(windows.count("a")).toEqual({ count: 2, msLeft: 59_999 });
  });

  it("give back what was counted, and never less than nothing", () => {
    const windows = createLocalWindows(60);
    windows.count("a");
    windows.refund("a");
    windows.refund("a");
    windows.refund("unknown");
    expect(windows.count("a").count).toBe(1);
  });

  it("are dropped when they are over", () => {
    const windows = createLocalWindows(60);
    for (let i = 0; i < 1_000; i += 1) windows.count(`key ${i}`);
    expect(windows.size()).toBe(1_000);
    vi.advanceTimersByTime(60_000);
    windows.count("later");
    expect(windows.size()).toBe(1);
  });
});
