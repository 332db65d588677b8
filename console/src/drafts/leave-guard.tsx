import { useBlocker } from "@tanstack/react-router";
import { Suspense, useEffect, useSyncExternalStore } from "react";
import { lazyPart } from "../ui/lazy-part.ts";
import { questionNow, setQuestion, subscribeToUnsaved, unsavedNow } from "./unsaved.ts";

const load = () => import("./leave-dialog.tsx");
const LeaveDialog = lazyPart(load, "LeaveDialog");

const isUnsaved = () => unsavedNow().length > 0;

/** Asks before something unsaved goes: by another page, by closing its form, or by closing the window. */
export function LeaveGuard() {
  const asked = useSyncExternalStore(subscribeToUnsaved, questionNow);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isUnsaved() &&
      (current.pathname !== next.pathname || JSON.stringify(current.search) !== JSON.stringify(next.search)),
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  });
  // Before it is needed: there may be no connection then.
  useEffect(() => subscribeToUnsaved(() => isUnsaved() && void load().catch(() => undefined)), []);
  if (blocker.status === "blocked") {
    return (
      <Suspense>
        <LeaveDialog question={{ about: unsavedNow(), go: blocker.proceed }} onStay={blocker.reset} />
      </Suspense>
    );
  }
  if (asked === undefined) return null;
  const go = () => {
    setQuestion(undefined);
    asked.go();
  };
  return (
    <Suspense>
      <LeaveDialog question={{ ...asked, go }} onStay={() => setQuestion(undefined)} />
    </Suspense>
  );
}
