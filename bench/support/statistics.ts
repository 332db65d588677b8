export type Summary = { value: number; low: number; high: number };

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? Number.NaN) + upper) / 2 : upper;
}

/**
 * Rounds are measured in the order subject, reference, subject, reference, …: each is compared with the one before it and
 * the one after it, so that load from elsewhere, which changes more slowly than that, affects both sides alike.
 */
export function comparePairs(
  subject: number[],
  reference: number[],
  compare: (subject: number, reference: number) => number,
): number[] {
  return reference.flatMap((value, round) => {
    const neighbours = [subject[round], subject[round + 1]].filter((neighbour) => neighbour !== undefined);
    return neighbours.map((neighbour) => compare(neighbour, value));
  });
}

export const ratio = (subject: number, reference: number) => subject / reference;

export const difference = (subject: number, reference: number) => subject - reference;

export function summarize(values: number[]): Summary {
  return { value: median(values), low: Math.min(...values), high: Math.max(...values) };
}
