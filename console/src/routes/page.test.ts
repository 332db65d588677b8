import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { toastsNow } from "../ui/toast-queue.ts";
import { page } from "./page.ts";

const reload = vi.fn();

beforeEach(() => {
  reload.mockReset();
  vi.useFakeTimers();
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ person: null })));
  vi.stubGlobal("window", Object.assign(new EventTarget(), { location: { reload } }));
  vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: () => {} });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const missing = vi.fn(() =>
  Promise.reject<{ Home: () => null }>(new TypeError("Failed to fetch dynamically imported module")),
);

it("does not reload, and says nothing, when a page that a link leads to is gone before it is visited", async () => {
  const before = toastsNow();
  const preloaded = page(missing, "Home").preload();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(missing).toHaveBeenCalledTimes(1);
  expect(reload).not.toHaveBeenCalled();
  expect(toastsNow()).toEqual(before);
  await preloaded;
});
