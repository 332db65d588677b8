let last: HTMLElement | undefined;
let page: HTMLElement | undefined;

/** Remembers what had the focus in the page itself: overlays are outside of it. */
export function rememberFocus(root: HTMLElement): void {
  page = root;
  root.addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLElement) last = target;
  });
}

/**
 * After a dialog is gone. React Aria returns the focus to what had it before, which may be gone too: the button of an earlier
 * dialog, or an item of a menu. Then it belongs where the person was on the page.
 */
export function returnLostFocus(): void {
  // React Aria uses the next frame.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (isLost() && last?.isConnected) last.focus();
      if (isLost()) document.getElementById("main")?.focus();
    }),
  );
}

/** Whether the focus is in no overlay: it has not arrived there yet, or what had it has gone. */
export function isFocusBehind(): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body || page?.contains(activeElement) === true;
}

const isLost = () => document.activeElement === document.body && document.querySelector("[data-overlay]") === null;
