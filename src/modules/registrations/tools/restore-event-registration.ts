import { z } from "zod";
import { defineMutation } from "../../../tools/mutation.js";
import { eventOf } from "../../../tools/tool.js";
import { proposeMove } from "../rules.js";
import { allowOverCapacity, oneRegistration } from "../schema.js";
import { getRegistration, readSeats, saveStandings } from "../store.js";

export const restoreEventRegistration = defineMutation({
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
    registration: await getRegistration(context.tx, eventOf(context).id, input.registration_id),
    ...(await readSeats(context.tx, eventOf(context).id, { unlimited: input.allow_over_capacity })),
  }),
  propose: (current) => proposeMove(current, "restore"),
  store: (context, { proposed }) => saveStandings(context.tx, eventOf(context).id, [proposed.registration]),
});
