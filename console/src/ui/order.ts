/** Orders of rows by id, as a person arranges them. */

/** One step up (-1) or down (1); at an end it stays. */
export function moved(order: string[], id: string, by: -1 | 1): string[] {
  const from = order.indexOf(id);
  const to = from + by;
  if (from === -1 || to < 0 || to >= order.length) return order;
  const rest = order.filter((other) => other !== id);
  return [...rest.slice(0, to), id, ...rest.slice(to)];
}

export function movedBeside(order: string[], id: string, target: string, side: "before" | "after"): string[] {
  if (id === target) return order;
  const rest = order.filter((other) => other !== id);
  const index = rest.indexOf(target);
  if (index === -1) return order;
  const place = side === "before" ? index : index + 1;
  return [...rest.slice(0, place), id, ...rest.slice(place)];
}

/** The wanted order of what there is now: rows that others removed are left out, those they added come last. */
export function withCurrent(wanted: string[], current: string[]): string[] {
  const known = new Set(wanted);
  const there = new Set(current);
  return [...wanted.filter((id) => there.has(id)), ...current.filter((id) => !known.has(id))];
}
