import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";

const typingPauseMs = 250;

type Filters = Record<string, string | undefined>;

/** Filters that are part of the address: they can be linked to, and Back undoes them. */
export function useFilters<Name extends string>(names: readonly Name[]) {
  const search = useSearch({ strict: false }) as Filters;
  const navigate = useNavigate();
  const filters = Object.fromEntries(names.map((name) => [name, search[name]])) as Record<Name, string | undefined>;
  const set = (changes: Partial<Record<Name, string>>) => {
    const next = Object.entries({ ...filters, ...changes }).filter(([, value]) => (value ?? "") !== "");
    void navigate({ to: ".", search: Object.fromEntries(next) as never, replace: true });
  };
  return { filters, set };
}

/** A text that is typed: `value` follows every key, the filter follows when the person pauses. */
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
    if (value === (current ?? "")) return;
    const timer = setTimeout(() => {
      setAsked(value);
      set(value);
    }, typingPauseMs);
    return () => clearTimeout(timer);
  }, [value, current, set]);
  return { value, onChange };
}
