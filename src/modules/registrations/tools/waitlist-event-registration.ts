import { z } from "zod";
import { defineEventMutation } from "../../../tools/mutation.js";
import { proposeMove } from "../rules.js";
import { oneRegistration } from "../schema.js";
import { getRegistration, saveStandings } from "../store.js";

export const waitlistEventRegistration = defineEventMutation({
  name: "waitlist_event_registration",
  title: "Waitlist a registration",
  group: "registrations",
  description:
    "Put one pending or approved guest on the waiting list. approve_event_registration takes the guest off it.",
  scope: "registrations:write",
  role: "admin",
  event: "host_or_co_host",
  destructive: false,
  input: z.object(oneRegistration),
  read: async (context, input) => ({
    registration: await getRegistration(context.tx, context.event.id, input.registration_id),
  }),
  propose: (current) => proposeMove(current, "waitlist"),
  store: (context, { proposed }) => saveStandings(context.tx, context.event.id, [proposed.registration]),
});
