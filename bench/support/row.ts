import type { Sample, Side } from "./load.js";
import { comparePairs, median, ratio, type Summary, summarize } from "./statistics.js";

/** The goal of a row, on the ratio to its reference unless it has a unit. */
export type Goal = { atLeast: number; unit?: string } | { atMost: number; unit?: string };

/** What one side of a row showed: medians over its rounds. */
export type Figures = { perSecond: number; cpuMicrosPerRequest: number | null; p50Ms: number };

export type Outcome = Summary & {
  subject: Figures | null;
  reference: Figures | null;
  rounds: unknown;
  /** What the name of the row does not say about this run. */
  note?: string;
};

export type Row = {
  /** For --only. */
  id: string;
  name: string;
  reference: string;
  goal: Goal;
  /** A text instead of an outcome says why the row was left out. */
  run(bench: Bench): Promise<Outcome | string>;
};

/** Rows that use the same processes, which are stopped after the last of them. */
export type RowGroup = Row[];

/** A warm-up is repeated until it has made enough requests. */
export type Schedule = { rounds: number; roundMs: number; warmUpMs: number; longestWarmUps: number };

export type Bench = {
  quick: boolean;
  schedule: Schedule;
  redisUrl: string;
  progress(text: string): void;
  /** What several rows of a group need is made by the first of them. */
  once<Value>(name: string, make: () => Promise<Value>): Promise<Value>;
};

/** Measures the two sides in turn and compares each round with its neighbours. */
export async function compareSides(
  { schedule }: Bench,
  subject: Side,
  reference: Side,
  figureOf: (sample: Sample) => number = ({ perSecond }) => perSecond,
  compare = ratio,
): Promise<Outcome> {
  for (const side of [subject, reference]) await warmUp(side, schedule);
  const { rounds, roundMs } = schedule;
  const samples: { subject: Sample[]; reference: Sample[] } = { subject: [], reference: [] };
  for (let round = 0; round < rounds; round += 1) {
    samples.subject.push(await subject.measure(roundMs));
    samples.reference.push(await reference.measure(roundMs));
  }
  const pairs = comparePairs(samples.subject.map(figureOf), samples.reference.map(figureOf), compare);
  return {
    ...summarize(pairs),
    subject: figuresOf(samples.subject),
    reference: figuresOf(samples.reference),
    rounds: samples,
  };
}

/**
 * The engine compiles by the number of calls, and again where its first assumptions were wrong: a page that is read from the
 * database takes half as much CPU time after 15,000 requests as after 3,000.
 */
const warmUpRequests = 15_000;

async function warmUp(side: Side, { warmUpMs, longestWarmUps }: Schedule): Promise<void> {
  let requests = 0;
  for (let part = 0; part < longestWarmUps && requests < warmUpRequests; part += 1) {
    requests += (await side.measure(warmUpMs)).perSecond * (warmUpMs / 1000);
  }
}

/** Fails where the CPU time is not known. */
export function cpuOf({ cpuMicrosPerRequest }: Sample): number {
  if (cpuMicrosPerRequest === null) throw new Error("CPU time is read from /proc: this row needs Linux");
  return cpuMicrosPerRequest;
}

function figuresOf(samples: Sample[]): Figures {
  const cpu = samples.map(({ cpuMicrosPerRequest }) => cpuMicrosPerRequest).filter((value) => value !== null);
  return {
    perSecond: median(samples.map(({ perSecond }) => perSecond)),
    cpuMicrosPerRequest: cpu.length === 0 ? null : median(cpu),
    p50Ms: median(samples.map(({ p50Ms }) => p50Ms)),
  };
}
