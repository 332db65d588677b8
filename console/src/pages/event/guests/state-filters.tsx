import type { GuestCounts } from "../../../../../contract/console/guests.ts";
import { formatCount } from "../../../format/counts.ts";
import { countIn, type StateFilter, stateFilters } from "./guests-api.ts";
import styles from "./state-filters.module.css";

type Props = { value: StateFilter; counts: GuestCounts | undefined; onChange: (value: StateFilter) => void };

/** The counts are those of the whole roster: they say what there is, whatever was searched for. */
export function StateFilters({ value, counts, onChange }: Props) {
  return (
    <fieldset className={styles.filters}>
      <legend className="visually-hidden">State of guests</legend>
      {stateFilters.map(({ value: state, label }) => (
        <button
          key={state}
          type="button"
          className={styles.filter}
          aria-pressed={state === value}
          onClick={() => onChange(state)}
        >
          {label}
          <span className={styles.count}>{counts === undefined ? "–" : formatCount(countIn(counts, state))}</span>
        </button>
      ))}
    </fieldset>
  );
}
