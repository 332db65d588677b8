import { z } from "zod";
import { exampleIds } from "../../../schema/examples.js";
import { uuidList } from "../../../schema/fields.js";
import { defineEventMutation } from "../../../tools/mutation.js";
import { type BatchState, canApprove, changedStates, proposeBatch, transitionNames, verdictsOf } from "../rules.js";
import { allowOverCapacity } from "../schema.js";
import { getRegistrationStates, readSeats, saveStates } from "../store.js";

export const batchUpdateEventRegistrations = defineEventMutation({
  name: "batch_update_event_registrations",
  title: "Update many registrations at once",
  group: "registrations",
  description:
    "Approve, decline, waitlist or restore up to 100 guests of an event: all or none. Returns a verdict for each, also when refused. Get the ids from list_event_registrations.",
  scope: "registrations:write",
  role: "admin",
  example: { event_id: exampleIds.event, action: "approve", registration_ids: [exampleIds.pendingRegistration] },
  event: "host_or_co_host",
  destructive: true,
  input: z.object({
    action: z.enum(transitionNames),
    registration_ids: uuidList(100, { required: true, advice: ": send the rest in another call" }).superRefine(
      (ids, context) => {
        const repeated = [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
        if (repeated.length > 0) context.addIssue(`expected each id once; repeated: ${repeated.join(", ")}`);
      },
    ),
    allow_over_capacity: allowOverCapacity,
  }),
  read: async ({ tx, event }, input): Promise<BatchState> => ({
    registrations: await getRegistrationStates(tx, event.id, input.registration_ids),
    ...(await readSeats(tx, event.id, { unlimited: !canApprove(input.action) || input.allow_over_capacity })),
  }),
  propose: (current, input) => proposeBatch(current, input.action),
  store: ({ tx, event }, { current, proposed }) => saveStates(tx, event.id, changedStates(current, proposed)),
  report: (current, proposed) => ({ verdicts: verdictsOf(current, proposed) }),
});
