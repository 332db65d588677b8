import { useSyncExternalStore } from "react";

/** Whether the service answers: what the browser says, corrected by the last request. */
let online = typeof navigator === "undefined" || navigator.onLine;
const listeners = new Set<() => void>();

export function reportConnection(reachable: boolean): void {
  if (online === reachable) return;
  online = reachable;
  for (const listener of listeners) listener();
}

if (typeof window !== "undefined") {
  window.addEventListener("online", () => reportConnection(true));
  window.addEventListener("offline", () => reportConnection(false));
}

export const useOnline = (): boolean => useSyncExternalStore(subscribe, () => online);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
