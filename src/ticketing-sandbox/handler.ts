import { z } from "zod";
import { ServiceError } from "../../contract/errors.js";
import { describeIssues, issuesOf } from "../schema/issues.js";
import type { SandboxChange, SandboxEvent, SandboxState } from "./state.js";

export type SandboxFields = Record<string, unknown>;

export type SandboxContext = { state: SandboxState; now: () => Date; newId: (prefix: string) => string };

/** One path of the platform. A handler does not change the state itself: it returns the changes to commit. */
export type SandboxHandler = {
  method: "GET" | "POST";
  handle(context: SandboxContext, fields: SandboxFields): { body: object; changes?: SandboxChange[] };
};

/** The event that a request names. `names` are the fields that the platform accepts, the preferred one first. */
export function getEventByFields(
  { state }: SandboxContext,
  fields: SandboxFields,
  names = ["event_id", "event_api_id"],
): SandboxEvent {
  const id = names.map((name) => fields[name]).find((value) => value !== undefined);
  if (typeof id !== "string" || id === "") throw new ServiceError("invalid_input", "Missing event identifier");
  const event = state.events.get(id);
  if (event === undefined) throw new ServiceError("not_found", "Event not found");
  return event;
}

export function parseFields<Schema extends z.ZodType>(schema: Schema, fields: SandboxFields): z.output<Schema> {
  const result = schema.safeParse(fields);
  if (!result.success) throw new ServiceError("invalid_input", describeIssues(issuesOf(result.error)));
  return result.data;
}

export const isoTimestamp = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)), { error: "expected an ISO 8601 timestamp" })
  .transform((text) => new Date(text).toISOString());

const defaultLimit = 50;
const maximumLimit = 100;

type SandboxPage<Item> = { entries: Item[]; has_more: boolean; next_cursor?: string };

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
