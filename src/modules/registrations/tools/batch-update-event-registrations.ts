import { z } from "zod";
import { uuid } from "../../../schema/fields.js";
import { defineEventMutation } from "../../../tools/mutation.js";
import { type BatchState, describe, moveNames, proposeBatch, standingOf, verdictsOf } from "../rules.js";
import { allowOverCapacity } from "../schema.js";
import { getRegistrations, readSeats, saveStandings } from "../store.js";

export const batchUpdateEventRegistrations = defineEventMutation({
  name: "batch_update_event_registrations",
  title: "Move many registrations at once",
  group: "registrations",
  description:
    "Approve, decline, waitlist or restore up to 100 guests of an event: all or none. Returns a verdict for each; a refusal too. The ids come from list_event_registrations.",
  scope: "registrations:write",
  role: "admin",
  event: "host_or_co_host",
  destructive: true,
  input: z.object({
    action: z.enum(moveNames),
    registration_ids: z
      .array(uuid)
      .min(1, { error: "expected 1 to 100 ids" })
      .max(100, { error: "expected 1 to 100 ids: send the rest in another call" })
      .superRefine((ids, context) => {
        const repeated = [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
        if (repeated.length > 0) context.addIssue(`expected each id once; repeated: ${repeated.join(", ")}`);
      }),
    allow_over_capacity: allowOverCapacity,
  }),
  async read(context, input): Promise<BatchState> {
    const registrations = await getRegistrations(context.tx, context.event.id, input.registration_ids);
    const approves = input.action === "approve" || input.action === "restore";
    return {
      registrations: Object.fromEntries(registrations.map((registration) => [registration.id, describe(registration)])),
      ...(await readSeats(context.tx, context.event.id, { unlimited: !approves || input.allow_over_capacity })),
    };
  },
  propose: (current, input) => proposeBatch(current, input.action),
  store: (context, { current, proposed }) =>
    saveStandings(
      context.tx,
      context.event.id,
      Object.entries(proposed.registrations)
        .filter(([id, words]) => current.registrations[id] !== words)
        .map(([id, words]) => ({ id, ...standingOf(words) })),
    ),
  report: (current, proposed) => ({ verdicts: verdictsOf(current, proposed) }),
});
