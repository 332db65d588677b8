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
};

/**
 * The selection with the states that decide what can be done. It belongs to one filter: with another one it ends, and a guest
 * who no longer matches leaves it. It may contain guests who match and are not loaded.
 */
export function useSelectedGuests({ organization, event, shown, guests, changes }: List) {
  const list = shown === undefined ? "" : JSON.stringify(argumentsOf(shown));
  const selection = useRowSelection(list);
  const known = useRef(new Map<string, GuestState>());
  const [isSelectingAll, setSelectingAll] = useState(false);
  const [everybody, setEverybody] = useState<{ list: string; count: number }>();
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
      setEverybody({ list, count: items.length });
      selection.setAll(
        items.map(({ id }) => id),
        true,
      );
    } catch (error) {
      showToast(messageOf(error), { tone: "danger" });
    }
    setSelectingAll(false);
  };
  const states = [...selection.keys]
    .flatMap((id) => known.current.get(id) ?? [])
    .filter((guest) => shown !== undefined && isInState(guest, shown.state));
  return {
    selection,
    states,
    selectAll,
    isSelectingAll,
    /** How many match, once they were all selected. */
    inAll: everybody?.list === list ? everybody.count : undefined,
    clear: selection.clear,
  };
}

const stateOf = ({ id, name, status, checked_in_at }: GuestChanges["items"][number] | Guest): GuestState => ({
  id,
  name,
  status,
  checked_in: checked_in_at !== null,
});
