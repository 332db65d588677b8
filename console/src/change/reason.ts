export const [shortestReason, longestReason] = [3, 500];

/** What is wrong with a reason; the service checks the same. */
export function reasonProblem(reason: string): string | undefined {
  if (reason.trim().length < shortestReason) return `Say why in at least ${shortestReason} characters.`;
  if (reason.length > longestReason) return `At most ${longestReason} characters; this has ${reason.length}.`;
  return undefined;
}
