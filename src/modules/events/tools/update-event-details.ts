import { z } from "zod";
import { changedFields } from "../../../tools/changes.js";
import { defineEventMutation } from "../../../tools/mutation.js";
import { getEventDetails, saveEventDetails } from "../details-store.js";
import { changeDetails } from "../rules.js";
import { eventDetailsInput } from "../schema.js";

export const updateEventDetails = defineEventMutation({
  name: "update_event_details",
  title: "Update an event's details",
  group: "event_management",
  description:
    "Change an event's name, times, place, category, status, capacity or links. Send only what changes; null clears a field. Times are ISO 8601 with an offset; the run of show keeps its own times.",
  scope: "events:write",
  role: "admin",
  event: "host_or_co_host",
  destructive: true,
  input: z.object({ ...eventDetailsInput }),
  read: (context, input) => getEventDetails(context.tx, context.event.id, Object.keys(input), context.baseUrl),
  propose: changeDetails,
  store: (context, { current, proposed }) =>
    saveEventDetails(context.tx, context.event.id, changedFields(current, proposed)),
});
