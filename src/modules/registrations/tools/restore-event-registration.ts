import { z } from "zod";
import { defineEventMutation } from "../../../tools/mutation.js";
import { proposeMove } from "../rules.js";
import { allowOverCapacity, oneRegistration } from "../schema.js";
import { getRegistration, readSeats, saveStandings } from "../store.js";

export const restoreEventRegistration = defineEventMutation({
  name: "restore_event_registration",
  title: "Restore a declined registration",
  group: "registrations",
  description:
    "Take a decline back: the guest returns to the status before it (pending where unknown). Refused when that is approved and the event is full.",
  scope: "registrations:write",
  role: "admin",
  event: "host_or_co_host",
  destructive: false,
  input: z.object({ ...oneRegistration, allow_over_capacity: allowOverCapacity }),
  read: async (context, input) => ({
    registration: await getRegistration(context.tx, context.event.id, input.registration_id),
    ...(await readSeats(context.tx, context.event.id, { unlimited: input.allow_over_capacity })),
  }),
  propose: (current) => proposeMove(current, "restore"),
  store: (context, { proposed }) => saveStandings(context.tx, context.event.id, [proposed.registration]),
});
