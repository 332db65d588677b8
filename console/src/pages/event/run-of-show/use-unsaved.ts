import { useBlocker } from "@tanstack/react-router";

/** Asks before moves that are not saved are lost, within the console and when the window is closed. */
export function useUnsaved(hasMoves: boolean) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => hasMoves && current.pathname !== next.pathname,
    enableBeforeUnload: () => hasMoves,
    withResolver: true,
  });
  return {
    isAsking: blocker.status === "blocked",
    leave: () => blocker.proceed?.(),
    stay: () => blocker.reset?.(),
  };
}
