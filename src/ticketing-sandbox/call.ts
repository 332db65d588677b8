import { z } from "zod";
import { ServiceError } from "../platform/errors.js";
import { describeIssues, issuesOf } from "../schema/issues.js";
import type { Change, EventState, State } from "./state.js";

export type Fields = Record<string, unknown>;

export type Surroundings = { state: State; now: () => Date; newId: (prefix: string) => string };

/** One path of the platform: it reads the state, and says what it answers and what changes. */
export type SandboxCall = {
  method: "GET" | "POST";
  run(surroundings: Surroundings, fields: Fields): { body: object; changes?: Change[] };
};

/** The event of a request; the names are those that the platform takes, the newer one first. */
export function eventOf({ state }: Surroundings, fields: Fields, names = ["event_id", "event_api_id"]): EventState {
  const id = names.map((name) => fields[name]).find((value) => value !== undefined);
  if (typeof id !== "string" || id === "") throw new ServiceError("invalid_input", "Missing event identifier");
  const event = state.events.get(id);
  if (event === undefined) throw new ServiceError("not_found", "Event not found");
  return event;
}

export function parseFields<Schema extends z.ZodType>(schema: Schema, fields: Fields): z.output<Schema> {
  const result = schema.safeParse(fields);
  if (!result.success) throw new ServiceError("invalid_input", describeIssues(issuesOf(result.error)));
  return result.data;
}

export const instant = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)), { error: "expects an ISO 8601 timestamp" })
  .transform((text) => new Date(text).toISOString());
