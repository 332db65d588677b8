import { createContext, useRef, useState } from "react";

/** Runs what a press or a form starts, one at a time, and knows whether it is under way. */
export function usePending() {
  const [isPending, setPending] = useState(false);
  const isUnderWay = useRef(false);
  const run = (start: () => unknown) => {
    if (isUnderWay.current) return;
    const started = start();
    if (!(started instanceof Promise)) return;
    isUnderWay.current = true;
    setPending(true);
    void started.finally(() => {
      isUnderWay.current = false;
      setPending(false);
    });
  };
  return { isPending, run };
}

/** Whether what the form around a button sends is under way. */
export const FormIsPending = createContext(false);
