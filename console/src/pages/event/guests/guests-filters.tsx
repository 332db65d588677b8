import type { GuestCounts } from "../../../../../contract/console/guests.ts";
import { formatCount } from "../../../format/counts.ts";
import { useFilters } from "../../../shell/use-filters.ts";
import { ChoiceButtons } from "../../../ui/choice-buttons.tsx";
import { FilterBar } from "../../../ui/filter-bar.tsx";
import { SearchField } from "../../../ui/search-field.tsx";
import { useTypedFilter } from "../../../ui/use-typed-filter.ts";
import styles from "./guests.module.css";
import { countIn, type GuestFilter, stateFilters } from "./guests-api.ts";

/** The filter is in the address: a reload, a link and Back lead to the same list. */
export function useGuestFilter() {
  const { filters, set, clear } = useFilters(["state", "q"]);
  const state = stateFilters.find(({ value }) => value === filters.state)?.value ?? "all";
  const filter: GuestFilter = { state, query: filters.q ?? "" };
  return { filter, set, clear };
}

type Props = {
  filter: GuestFilter;
  counts: GuestCounts | undefined;
  /** "52 guests", of those that match. */
  count: string | undefined;
  onChange: (change: { state?: string; q?: string }) => void;
  onClear: (() => void) | undefined;
};

/** The counts of the states are those of the whole roster: they say what there is, whatever was searched for. */
export function GuestsFilters({ filter, counts, count, onChange, onClear }: Props) {
  const typed = useTypedFilter(filter.query, (q) => onChange({ q }));
  const states = (
    <ChoiceButtons
      label="State of guests"
      look="filters"
      value={filter.state}
      onChange={(state) => onChange({ state: state === "all" ? "" : state })}
      options={stateFilters.map((state) => ({
        ...state,
        count: counts === undefined ? "–" : formatCount(countIn(counts, state.value)),
      }))}
    />
  );
  return (
    <div className={styles.tools}>
      <FilterBar onClear={onClear} count={count} states={states}>
        <SearchField label="Search name or e-mail" {...typed} />
      </FilterBar>
    </div>
  );
}
