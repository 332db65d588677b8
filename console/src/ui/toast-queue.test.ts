import { afterEach, expect, it, vi } from "vitest";
import { dismissToast, showToast, subscribeToToasts, toastsNow } from "./toast-queue.ts";

afterEach(() => {
  for (const { id } of toastsNow()) dismissToast(id);
});

const texts = () => toastsNow().map(({ text }) => text);

it("shows the newest three", () => {
  for (const text of ["a", "b", "c", "d"]) showToast(text);
  expect(texts()).toEqual(["b", "c", "d"]);
});

it("dismisses the one that is meant, and tells those who listen", () => {
  const listener = vi.fn();
  const stop = subscribeToToasts(listener);
  showToast("a");
  showToast("b");
  dismissToast(toastsNow()[0]?.id ?? 0);
  expect(texts()).toEqual(["b"]);
  expect(listener).toHaveBeenCalledTimes(3);
  stop();
  showToast("c");
  expect(listener).toHaveBeenCalledTimes(3);
});

it("stays longer where it offers something", () => {
  showToast("Saved");
  showToast("Saved", { action: { label: "Undo", run: () => {} } });
  showToast("Not saved", { tone: "danger", durationMs: 1 });
  expect(toastsNow().map(({ tone, durationMs }) => [tone, durationMs])).toEqual([
    ["success", 6000],
    ["success", 10_000],
    ["danger", 1],
  ]);
});
