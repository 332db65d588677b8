import { useState } from "react";
import { type Problem, problemOf } from "../api/api-error.ts";

/** What a form sends, once at a time, with the reason why that failed. */
export function useSubmit() {
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const submit = async (send: () => Promise<unknown>) => {
    if (isPending) return;
    setPending(true);
    setProblem(undefined);
    try {
      await send();
    } catch (error) {
      setProblem(problemOf(error));
    }
    setPending(false);
  };
  /** The message for a field of the form, or for what is at none. */
  const errorAt = (field: string | undefined) => (problem?.field === field ? problem?.text : undefined);
  return { submit, isPending, problem, setProblem, errorAt };
}
