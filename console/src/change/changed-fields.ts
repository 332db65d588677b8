/** The fields of a form that differ from what is stored; an empty text clears a field. */
export function changedFields<Fields extends object>(stored: Fields, edited: Fields): Partial<Fields> {
  const before = new Map(Object.entries(stored));
  return Object.fromEntries(
    Object.entries(edited).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name))),
  ) as Partial<Fields>;
}
