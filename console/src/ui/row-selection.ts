import { useMemo, useState } from "react";

export type RowSelection = {
  keys: ReadonlySet<string>;
  has: (key: string) => boolean;
  toggle: (key: string) => void;
  setAll: (keys: string[], isSelected: boolean) => void;
  clear: () => void;
};

const none: ReadonlySet<string> = new Set();

/**
 * The selected rows of a list. `list` says which list is shown: with another one, nothing is selected any more, and what
 * was asked for while the first one was shown does not select anything.
 */
export function useRowSelection(list: string): RowSelection {
  const [selected, setSelected] = useState({ list, keys: none });
  if (selected.list !== list) setSelected({ list, keys: none });
  const keys = selected.list === list ? selected.keys : none;
  return useMemo(() => {
    const change = (next: (keys: ReadonlySet<string>) => ReadonlySet<string>) =>
      setSelected((now) => (now.list === list ? { list, keys: next(now.keys) } : now));
    return {
      keys,
      has: (key) => keys.has(key),
      toggle: (key) => change((now) => changedSet(now, [key], !now.has(key))),
      setAll: (changed, isSelected) => change((now) => changedSet(now, changed, isSelected)),
      clear: () => change(() => none),
    };
  }, [keys, list]);
}

function changedSet(keys: ReadonlySet<string>, changed: string[], isSelected: boolean): ReadonlySet<string> {
  const next = new Set(keys);
  for (const key of changed) isSelected ? next.add(key) : next.delete(key);
  return next;
}
