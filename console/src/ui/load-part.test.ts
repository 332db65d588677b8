import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { guard, letGo, unsavedNow } from "../drafts/unsaved.ts";
import { loadPart } from "./load-part.ts";

const stored = new Map<string, string>();
const service = vi.fn<typeof fetch>();
const reload = vi.fn();

beforeEach(() => {
  stored.clear();
  reload.mockReset();
  service.mockReset();
  vi.useFakeTimers();
  vi.stubGlobal("fetch", service);
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("sessionStorage", {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
  });
});
afterEach(() => {
  letGo(unsavedNow());
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const missing = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));
const isReachable = (reachable: boolean) =>
  service.mockImplementation(() =>
    reachable ? Promise.resolve(Response.json({ person: null })) : Promise.reject(new TypeError("fetch failed")),
  );

it("tries again until the connection is back", async () => {
  isReachable(false);
  const load = vi.fn(missing as () => Promise<string>);
  const part = loadPart(load, reload);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(load.mock.calls.length).toBeGreaterThan(5);
  expect(load.mock.calls.length).toBeLessThan(20);
  load.mockResolvedValue("the part");
  window.dispatchEvent(new Event("online"));
  expect(await part).toBe("the part");
  expect(reload).not.toHaveBeenCalled();
});

it("loads the page again, once, where the service answers and the part is gone", async () => {
  isReachable(true);
  void loadPart(missing, reload);
  await vi.advanceTimersByTimeAsync(5000);
  expect(reload).toHaveBeenCalledTimes(1);
  const again = loadPart(missing, reload);
  const failure = expect(again).rejects.toMatchObject({ code: "missing_part" });
  await vi.advanceTimersByTimeAsync(5000);
  await failure;
  expect(reload).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(60_000);
  void loadPart(missing, reload);
  await vi.advanceTimersByTimeAsync(5000);
  expect(reload).toHaveBeenCalledTimes(2);
});

it("does not load the page again where something would be lost", async () => {
  isReachable(true);
  const loss = { title: "Leave without the key?", text: "" };
  guard({ isKept: () => false, loss });
  const failure = expect(loadPart(missing, reload)).rejects.toMatchObject({ code: "missing_part" });
  await vi.advanceTimersByTimeAsync(5000);
  await failure;
  letGo(unsavedNow());
  guard({ isKept: () => true, loss });
  void loadPart(missing, reload);
  await vi.advanceTimersByTimeAsync(5000);
  expect(reload).toHaveBeenCalledTimes(1);
  // Otherwise the browser would ask before it loads the page again.
  expect(unsavedNow()).toEqual([]);
});
