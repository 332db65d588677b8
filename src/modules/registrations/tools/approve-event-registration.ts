import { z } from "zod";
import { defineEventMutation } from "../../../tools/mutation.js";
import { proposeMove } from "../rules.js";
import { allowOverCapacity, oneRegistration } from "../schema.js";
import { getRegistration, readSeats, saveStandings } from "../store.js";

export const approveEventRegistration = defineEventMutation({
  name: "approve_event_registration",
  title: "Approve a registration",
  group: "registrations",
  description:
    "Approve one pending or waitlisted guest. Refused when the event is full. For several guests use batch_update_event_registrations.",
  scope: "registrations:write",
  role: "admin",
  event: "host_or_co_host",
  destructive: false,
  input: z.object({ ...oneRegistration, allow_over_capacity: allowOverCapacity }),
  read: async (context, input) => ({
    registration: await getRegistration(context.tx, context.event.id, input.registration_id),
    ...(await readSeats(context.tx, context.event.id, { unlimited: input.allow_over_capacity })),
  }),
  propose: (current) => proposeMove(current, "approve"),
  store: (context, { proposed }) => saveStandings(context.tx, context.event.id, [proposed.registration]),
});
