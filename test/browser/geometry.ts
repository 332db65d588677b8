import type { Page } from "playwright-core";
import { expect } from "vitest";
import { waitForFrame } from "./support.js";

/** The window may have room for a scroll bar, which is no part of the page. */
const widthBeyondPage = "document.documentElement.scrollWidth - document.body.offsetWidth";

/**
 * Links, buttons and fields that something else covers when they are in view, or that cannot be scrolled into view. A field
 * that React Aria draws itself is hidden behind its label. Of what is longer than the window, only a part can be in view.
 */
const covered = `(() => {
  const dialogs = document.querySelectorAll("[role=dialog], [role=alertdialog]");
  const scope = dialogs.length === 0 ? document.body : dialogs[dialogs.length - 1];
  const isCovered = (element) => {
    element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const places = [...element.getClientRects()].flatMap(({ left, top, width, height }) =>
      width <= 1 || height <= 1
        ? []
        : [[0.5, 0.5], [0.2, 0.3], [0.8, 0.7]].map(([x, y]) => [left + width * x, top + height * y]),
    );
    const found = places.map(([x, y]) => document.elementFromPoint(x, y));
    if (found.length > 0 && found.every((other) => other === null)) return true;
    return found.some((other) => other !== null && !element.contains(other) && !other.contains(element));
  };
  const interactive = "a[href], button, input, select, textarea, summary, [role=checkbox], [role=slider]";
  const shown = [...scope.querySelectorAll(interactive)]
    .filter((element) => element.closest("[inert], [aria-hidden=true]") === null)
    .map((element) => (element.matches("input") ? element.closest("label") : null) ?? element)
    .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }));
  return [...new Set(shown)]
    .filter(isCovered)
    .map((element) => element.getAttribute("aria-label") ?? (element.textContent || element.outerHTML.slice(0, 80)));
})()`;

/** Times of which the end cannot be read, where there is no room for them. */
const cutTimes = `[...document.querySelectorAll("time")].filter((time) => {
  if (!time.checkVisibility()) return false;
  const { right } = time.getBoundingClientRect();
  for (let box = time; box !== null; box = box.parentElement) {
    const { textOverflow, paddingRight } = getComputedStyle(box);
    const end = box.getBoundingClientRect().right - parseFloat(paddingRight);
    if (textOverflow === "ellipsis" && right > end + 1) return true;
  }
  return false;
}).map((time) => time.textContent)`;

/** Nothing scrolls sideways, no control is covered, and no time is cut off. */
export async function expectLaidOut(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await waitForFrame(page);
  const at = `at ${size.width} px`;
  await expect.poll(() => page.evaluate(widthBeyondPage), { message: `too wide ${at}` }).toBeLessThanOrEqual(0);
  // What follows the size of the window in a script follows a moment later.
  await expect.poll(() => page.evaluate(covered), { message: `covered ${at}`, timeout: 3000 }).toEqual([]);
  expect(await page.evaluate(cutTimes), `cut off ${at}`).toEqual([]);
}
