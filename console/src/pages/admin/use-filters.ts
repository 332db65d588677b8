import { useNavigate, useSearch } from "@tanstack/react-router";

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
  const narrowing = names.filter((name) => name !== "sort" && filters[name] !== undefined);
  const clear = () => set(Object.fromEntries(narrowing.map((name) => [name, ""])) as Partial<Record<Name, string>>);
  return { filters, set, clear: narrowing.length === 0 ? undefined : clear };
}
