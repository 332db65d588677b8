export type Turns = {
  /** False when as many wait as may wait. */
  hasRoom(): boolean;
  run<Result>(work: () => Promise<Result>): Promise<Result>;
};

/** Lets so many pieces of work run at once; the others wait in line. */
export function createTurns(limits: { atOnce: number; waiting: number }): Turns {
  let running = 0;
  const line: (() => void)[] = [];
  return {
    hasRoom: () => running < limits.atOnce || line.length < limits.waiting,
    async run(work) {
      // Whoever ends hands the turn on: `running` never counts one too few in between.
      if (running < limits.atOnce) running++;
      else await new Promise<void>((resolve) => line.push(resolve));
      try {
        return await work();
      } finally {
        const next = line.shift();
        if (next === undefined) running--;
        else next();
      }
    },
  };
}
