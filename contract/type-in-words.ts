type Json = Record<string, unknown>;

/** The type of a field as a reader needs it: "string, at most 200 characters or null". Without imports, so that the console can use it. */
export function typeInWords(field: Json): string {
  if (typeof field.$ref === "string") return field.$ref.split("/").at(-1) ?? "object";
  if (field.const !== undefined) return `\`${String(field.const)}\``;
  if (Array.isArray(field.anyOf)) return field.anyOf.map((choice) => typeInWords(choice as Json)).join(" or ");
  if (Array.isArray(field.enum)) return field.enum.map((value) => `\`${String(value)}\``).join(", ");
  if (Array.isArray(field.type)) return field.type.join(" or ");
  if (field.type === "array") return `list of ${typeInWords((field.items ?? {}) as Json)}${bounds(field, "Items", "")}`;
  if (field.type === "string") return `${word(field.format) || "string"}${bounds(field, "Length", " characters")}`;
  return `${word(field.type) || "any"}${bounds(field, "imum", "")}`;
}

/** ", 1 to 100 characters" of minLength and maxLength; likewise for the others. */
function bounds(field: Json, of: "Items" | "Length" | "imum", unit: string): string {
  const [least, most] = [field[`min${of}`], field[`max${of}`]];
  if (least === undefined && most === undefined) return "";
  if (least === undefined) return `, at most ${String(most)}${unit}`;
  return most === undefined ? `, at least ${String(least)}${unit}` : `, ${String(least)} to ${String(most)}${unit}`;
}

export function defaultInWords(field: Json): string {
  return field.default === undefined || field.default === null ? "" : `default \`${JSON.stringify(field.default)}\``;
}

function word(value: unknown): string {
  return typeof value === "string" ? value : "";
}
