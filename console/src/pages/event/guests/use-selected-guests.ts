import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { GuestChanges, GuestState } from "../../../../../contract/console/guests.ts";
import type { Guest } from "../../../../../contract/schema/registrations.ts";
import { messageOf } from "../../../api/api-error.ts";
import { useRowSelection } from "../../../ui/row-selection.ts";
import { showToast } from "../../../ui/toast-queue.ts";
import { argumentsOf, type GuestFilter, isInState, readSelection } from "./guests-api.ts";

type List = {
  organization: string;
  event: string;
  /** Undefined while another list is on the way. */
  shown: GuestFilter | undefined;
  guests: Guest[];
  /** Who changed since the last time, loaded or not. */
  changes: GuestChanges | undefined;
  /** How many match, where that is known. */
  total: number | undefined;
  hasMore: boolean;
};

/**
 * The selection with the states that decide what can be done. It belongs to one filter: with another one it ends, and a guest
 * who no longer matches leaves it. It may contain guests who match and are not loaded.
 */
export function useSelectedGuests({ organization, event, shown, guests, changes, ...list }: List) {
  const key = shown === undefined ? "" : JSON.stringify(argumentsOf(shown));
  const selection = useRowSelection(key);
  const known = useRef(new Map<string, GuestState>());
  const [isSelectingAll, setSelectingAll] = useState(false);
  const [everybody, setEverybody] = useState<{ key: string; count: number }>();
  for (const guest of [...(changes?.items ?? []), ...guests]) known.current.set(guest.id, stateOf(guest));
  // So much has changed that nobody knows who of the selection did.
  const lostSight = changes?.reload === true ? changes.as_of : undefined;
  const clear = useEffectEvent(selection.clear);
  useEffect(() => {
    if (lostSight !== undefined) clear();
  }, [lostSight]);
  const selectAll = async () => {
    if (shown === undefined) return;
    setSelectingAll(true);
    try {
      const { items } = await readSelection(organization, event, shown);
      for (const guest of items) known.current.set(guest.id, guest);
      setEverybody({ key, count: items.length });
      selection.setAll(
        items.map(({ id }) => id),
        true,
      );
    } catch (error) {
      showToast(messageOf(error), { tone: "danger" });
    }
    setSelectingAll(false);
  };
  const matching = (found: GuestState[]) =>
    found.filter((guest) => shown !== undefined && isInState(guest, shown.state));
  const states = matching([...selection.keys].flatMap((id) => known.current.get(id) ?? []));
  const loaded = list.hasMore ? Number.POSITIVE_INFINITY : matching(guests.map(stateOf)).length;
  const everybodySelected = everybody?.key === key ? everybody.count : undefined;
  return {
    selection,
    states,
    selectAll,
    isSelectingAll,
    hasEverybody: states.length >= (list.total ?? everybodySelected ?? loaded),
    clear: selection.clear,
  };
}

const stateOf = ({ id, name, status, checked_in_at }: GuestChanges["items"][number] | Guest): GuestState => ({
  id,
  name,
  status,
  checked_in: checked_in_at !== null,
});
