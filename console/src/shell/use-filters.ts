import { useNavigate, useSearch } from "@tanstack/react-router";

/** Filters that are part of the address: they can be linked to, and Back undoes them. */
export function useFilters<Name extends string>(names: readonly Name[]) {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  // What looks like a number in an address is one.
  const textOf = (value: unknown) => (value === undefined ? undefined : String(value));
  const filters = Object.fromEntries(names.map((name) => [name, textOf(search[name])])) as Record<
    Name,
    string | undefined
  >;
  const set = (changes: Partial<Record<Name, string>>) => {
    const next = Object.entries({ ...filters, ...changes }).filter(([, value]) => (value ?? "") !== "");
    void navigate({ to: ".", search: Object.fromEntries(next) as never, replace: true, resetScroll: false });
  };
  const narrowing = names.filter((name) => name !== "sort" && filters[name] !== undefined);
  const clear = () => set(Object.fromEntries(narrowing.map((name) => [name, ""])) as Partial<Record<Name, string>>);
  return { filters, set, clear: narrowing.length === 0 ? undefined : clear };
}
