import { z } from "zod";
import { exampleIds } from "../../../schema/examples.js";
import { flag } from "../../../schema/fields.js";
import { defineEventMutation } from "../../../tools/mutation.js";
import { afterCheckIn } from "../rules.js";
import { oneRegistration } from "../schema.js";
import { getRegistration, saveCheckIn } from "../store.js";

export const setEventRegistrationCheckIn = defineEventMutation({
  name: "set_event_registration_check_in",
  title: "Check a guest in or out",
  group: "registrations",
  description: "Check an approved guest in on arrival, or undo it with checked_in: false.",
  scope: "registrations:write",
  role: "member",
  example: { event_id: exampleIds.event, registration_id: exampleIds.approvedRegistration, checked_in: true },
  event: "host_or_co_host",
  destructive: false,
  input: z.object({ ...oneRegistration, checked_in: flag }),
  read: async ({ tx, event }, input) => ({
    registration: await getRegistration(tx, event.id, input.registration_id),
  }),
  propose: ({ registration }, input) => ({ registration: afterCheckIn(registration, input.checked_in) }),
  store: ({ tx, event }, { input }) => saveCheckIn(tx, event.id, input.registration_id, input.checked_in),
});
