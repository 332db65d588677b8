export const longestReason = 500;

/** What is wrong with a reason; the service checks the same. */
export function reasonProblem(reason: string): string | undefined {
  if (reason.trim() === "") return "Say why.";
  if (reason.length > longestReason) return `At most ${longestReason} characters; this has ${reason.length}.`;
  return undefined;
}
