import { useState } from "react";
import { folded } from "../../format/folded.ts";

export type Problems<Draft> = Partial<Record<keyof Draft, string | undefined>>;

/** The values of a form, and what is wrong with them once the person has tried to submit. */
export function useDraft<Draft extends Record<string, unknown>>(
  initial: Draft,
  check: (draft: Draft) => Problems<Draft>,
) {
  const [draft, setDraft] = useState(initial);
  const [tried, setTried] = useState(false);
  const problems = tried ? check(draft) : {};
  const bind = <Name extends keyof Draft>(name: Name) => ({
    value: draft[name],
    onChange: (value: Draft[Name]) => setDraft((before) => ({ ...before, [name]: value })),
    error: (problems as Problems<Draft>)[name],
  });
  /** The values, or undefined if something is wrong with them. */
  const submitted = (): Draft | undefined => {
    setTried(true);
    return Object.values(check(draft)).every((problem) => problem === undefined) ? draft : undefined;
  };
  return { draft, bind, submitted, setDraft };
}

export const required = (text: string | null, what: string): string | undefined =>
  (text ?? "").trim() === "" ? `Enter ${what}` : undefined;

/** "Open Web Days 2027" → "open-web-days-2027". */
export function slugOf(name: string): string {
  return folded(name)
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 100);
}
