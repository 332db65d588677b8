const tasks: (() => Promise<void>)[] = [];
let stopping = false;
let interrupted = false;

/** Runs the task when the benchmark ends, in whichever way: processes are stopped before what they use is removed. */
export function onCleanUp(task: () => Promise<void>): void {
  tasks.push(task);
}

export async function cleanUp(): Promise<void> {
  stopping = true;
  for (const task of tasks.splice(0)) {
    await task().catch((error: unknown) => console.error(`cleaning up: ${String(error)}`));
  }
}

/** Whether a signal stops the benchmark: what fails from then on says nothing. */
export function isInterrupted(): boolean {
  return interrupted;
}

/** Called before something is created that has to be removed: nothing is created any more after Ctrl-C. */
export function refuseWhileStopping(): void {
  if (stopping) throw new Error("the benchmark is being stopped");
}

/** Stops processes and drops databases after Ctrl-C too. */
export function cleanUpOnSignals(): void {
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    process.once(signal, () => {
      interrupted = true;
      console.error("\nstopping: processes are ended and databases dropped");
      void cleanUp().finally(() => process.exit(code));
    });
  }
}
