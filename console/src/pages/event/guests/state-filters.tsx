import type { GuestCounts } from "../../../../../contract/console/guests.ts";
import { formatCount } from "../../../format/counts.ts";
import { ChoiceButtons } from "../../../ui/choice-buttons.tsx";
import { countIn, type StateFilter, stateFilters } from "./guests-api.ts";

type Props = { value: StateFilter; counts: GuestCounts | undefined; onChange: (value: StateFilter) => void };

/** The counts are those of the whole roster: they say what there is, whatever was searched for. */
export const StateFilters = ({ value, counts, onChange }: Props) => (
  <ChoiceButtons
    label="State of guests"
    look="filters"
    value={value}
    onChange={onChange}
    options={stateFilters.map((state) => ({
      ...state,
      count: counts === undefined ? "–" : formatCount(countIn(counts, state.value)),
    }))}
  />
);
