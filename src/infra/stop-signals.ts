/** What asks a process to stop: a person, a supervisor, and a terminal that was closed. */
export const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Without a listener, Node ends the process when it gets this one. */
export const ignoredSignal = "SIGUSR2";

/** For a process whose parent stops it: a terminal sends its signals to both, and the parent may still need it. */
export function leaveSignalsToParent(): void {
  for (const signal of [...stopSignals, ignoredSignal]) process.on(signal, () => {});
}
