import { useMemo, useState } from "react";

export type RowSelection = {
  keys: ReadonlySet<string>;
  has: (key: string) => boolean;
  toggle: (key: string) => void;
  setAll: (keys: string[], isSelected: boolean) => void;
  clear: () => void;
};

export function useRowSelection(): RowSelection {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  return useMemo(
    () => ({
      keys,
      has: (key) => keys.has(key),
      toggle: (key) => setKeys((now) => changedSet(now, [key], !now.has(key))),
      setAll: (changed, isSelected) => setKeys((now) => changedSet(now, changed, isSelected)),
      clear: () => setKeys(new Set()),
    }),
    [keys],
  );
}

function changedSet(keys: ReadonlySet<string>, changed: string[], isSelected: boolean): ReadonlySet<string> {
  const next = new Set(keys);
  for (const key of changed) isSelected ? next.add(key) : next.delete(key);
  return next;
}
