let last: HTMLElement | undefined;

/** Remembers what had the focus in the page itself: overlays are outside of it. */
export function rememberFocus(root: HTMLElement): void {
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

const isLost = () => document.activeElement === document.body && document.querySelector("[data-overlay]") === null;
