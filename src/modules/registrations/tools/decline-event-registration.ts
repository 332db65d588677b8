import { z } from "zod";
import { defineEventMutation } from "../../../tools/mutation.js";
import { proposeMove } from "../rules.js";
import { oneRegistration } from "../schema.js";
import { getRegistration, saveStandings } from "../store.js";

export const declineEventRegistration = defineEventMutation({
  name: "decline_event_registration",
  title: "Decline a registration",
  group: "registrations",
  description: "Decline one pending, waitlisted or approved guest. restore_event_registration takes it back.",
  scope: "registrations:write",
  role: "admin",
  event: "host_or_co_host",
  destructive: true,
  input: z.object(oneRegistration),
  read: async (context, input) => ({
    registration: await getRegistration(context.tx, context.event.id, input.registration_id),
  }),
  propose: (current) => proposeMove(current, "decline"),
  store: (context, { proposed }) => saveStandings(context.tx, context.event.id, [proposed.registration]),
});
