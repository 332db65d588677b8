import { useEffect, useState } from "react";
import { flushSync } from "react-dom";

/** What is being printed, while it is: Ctrl+P prints with notes, the buttons of the page decide by themselves. */
export function usePrint() {
  const [printing, setPrinting] = useState<{ withNotes: boolean }>();
  useEffect(() => {
    // The browser takes its picture of the page right after this event.
    const before = () => flushSync(() => setPrinting((now) => now ?? { withNotes: true }));
    const after = () => setPrinting(undefined);
    window.addEventListener("beforeprint", before);
    window.addEventListener("afterprint", after);
    return () => {
      window.removeEventListener("beforeprint", before);
      window.removeEventListener("afterprint", after);
    };
  }, []);
  const print = (withNotes: boolean) => {
    flushSync(() => setPrinting({ withNotes }));
    window.print();
  };
  return { printing, print };
}
