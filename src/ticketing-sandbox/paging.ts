import { ServiceError } from "../../contract/errors.js";
import type { SandboxFields } from "./handler.js";

const defaultLimit = 50;
const maximumLimit = 100;

export type SandboxPage<Item> = { entries: Item[]; has_more: boolean; next_cursor?: string };

/** The page after the item whose id the cursor encodes. `next_cursor` is absent on the last page. */
export function paginate<Item extends { id: string }>(sorted: Item[], fields: SandboxFields): SandboxPage<Item> {
  const limit = limitOf(fields.pagination_limit);
  const start = startOf(sorted, fields.pagination_cursor);
  const entries = sorted.slice(start, start + limit);
  const last = entries.at(-1);
  const hasMore = start + limit < sorted.length;
  return {
    entries,
    has_more: hasMore,
    ...(hasMore && last !== undefined ? { next_cursor: Buffer.from(last.id).toString("base64url") } : {}),
  };
}

function limitOf(value: unknown): number {
  if (value === undefined) return defaultLimit;
  if (!/^[1-9]\d{0,3}$/.test(String(value))) {
    throw new ServiceError("invalid_input", "pagination_limit: expected a positive integer");
  }
  return Math.min(Number(value), maximumLimit);
}

function startOf(sorted: { id: string }[], cursor: unknown): number {
  if (cursor === undefined || cursor === "") return 0;
  const id = Buffer.from(String(cursor), "base64url").toString();
  const at = sorted.findIndex((item) => item.id === id);
  if (at === -1) throw new ServiceError("invalid_input", "pagination_cursor: expected a cursor from a previous page");
  return at + 1;
}
