/** The fields that come first wherever they are; the others follow by name. */
const first = [
  "id",
  "name",
  "title",
  "email",
  "slug",
  "kind",
  "role",
  "status",
  "code",
  "message",
  "path",
  "from",
  "to",
];
const positions = new Map(first.map((name, index) => [name, index]));

/** The same value with its fields in one order, so that a result is the same text when it was read back from its record. */
export function inDisplayOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inDisplayOrder);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(
    fields
      .toSorted(([a], [b]) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1))
      .map(([name, inner]) => [name, inDisplayOrder(inner)]),
  );
}

function placeOf(name: string): number {
  return positions.get(name) ?? first.length;
}
