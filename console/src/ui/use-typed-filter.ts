import { useEffect, useState } from "react";
import { maximumWords } from "../../../contract/nouns.ts";

const typingPauseMs = 250;

/** A text that is typed: `value` follows every key, the filter follows when the person pauses, unless it is too long. */
export function useTypedFilter(current: string | undefined, set: (text: string) => void) {
  const [value, onChange] = useState(current ?? "");
  const [given, setGiven] = useState(current);
  const [asked, setAsked] = useState<string>();
  // The field follows a link to the same list, but not its own filter: more may have been typed since.
  if (given !== current) {
    setGiven(current);
    setAsked(undefined);
    if ((current ?? "") !== asked) onChange(current ?? "");
  }
  useEffect(() => {
    const wanted = value.trim();
    if (wanted === (current ?? "") || wanted.length > maximumWords) return;
    const timer = setTimeout(() => {
      setAsked(wanted);
      set(wanted);
    }, typingPauseMs);
    return () => clearTimeout(timer);
  }, [value, current, set]);
  return { value, onChange };
}
