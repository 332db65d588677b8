import { z } from "zod";
import { maximumPage } from "../nouns.js";

export const defaultLimit = 50;
export const maximumLimit = maximumPage;

export const pageQuery = z.object({
  cursor: z.string().optional().meta({ description: "`pagination.next_cursor` of the previous page" }),
  limit: z
    .string({ error: "expected a single integer" })
    .regex(/^0*[1-9]\d*$/, { error: `expected an integer from 1; more than ${maximumLimit} counts as ${maximumLimit}` })
    .transform((text) => Math.min(Number(text), maximumLimit))
    .prefault(String(defaultLimit))
    .meta({
      type: "integer",
      minimum: 1,
      description: `Items per page; more than ${maximumLimit} counts as ${maximumLimit}`,
    }),
});

const pagination = z
  .object({
    has_more: z.boolean().meta({ description: "false on the last page" }),
    next_cursor: z.string().nullable().meta({ description: "pass it as `cursor` to get the next page" }),
    count: z.int().meta({ description: "items in this page" }),
  })
  .meta({ id: "Pagination" });

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), pagination });
}
