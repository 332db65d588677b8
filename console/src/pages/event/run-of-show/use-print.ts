import { useState } from "react";
import { flushSync } from "react-dom";
import { useAroundPrint } from "../../../ui/around-print.ts";

/** What is being printed, while it is: Ctrl+P prints with notes, the buttons of the page decide by themselves. */
export function usePrint() {
  const [printing, setPrinting] = useState<{ withNotes: boolean }>();
  useAroundPrint(
    () => setPrinting((now) => now ?? { withNotes: true }),
    () => setPrinting(undefined),
  );
  const print = (withNotes: boolean) => {
    flushSync(() => setPrinting({ withNotes }));
    window.print();
  };
  return { printing, print };
}
