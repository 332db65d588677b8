import { useEffect, useEffectEvent, useState } from "react";
import { flushSync } from "react-dom";

/** Draws a page as it is printed before the browser takes its picture of it, and as before afterwards. */
export function useAroundPrint(before: () => void, after: () => void): void {
  // The browser takes its picture right after this event.
  const onBefore = useEffectEvent(() => flushSync(before));
  const onAfter = useEffectEvent(after);
  useEffect(() => {
    const prepare = () => onBefore();
    const restore = () => onAfter();
    window.addEventListener("beforeprint", prepare);
    window.addEventListener("afterprint", restore);
    return () => {
      window.removeEventListener("beforeprint", prepare);
      window.removeEventListener("afterprint", restore);
    };
  }, []);
}

/** Whether the page is being printed. */
export function useIsPrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useAroundPrint(
    () => setPrinting(true),
    () => setPrinting(false),
  );
  return isPrinting;
}
