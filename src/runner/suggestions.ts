import { z } from "zod";

/** What a search adds to its result when nothing matches. The names are in a field of their own, because they are data. */
export function withSuggestions<Row>(noun: string, suggestions: Row[]) {
  const advice =
    suggestions.length === 0
      ? "no name is similar: try fewer or other words"
      : "suggestions has similar names, whatever the other filters";
  return { message: `No ${noun} matches; ${advice}.`, suggestions };
}

export function suggestionsOf<Row extends z.ZodType>(row: Row) {
  return { message: z.string().optional(), suggestions: z.array(row).optional() };
}
