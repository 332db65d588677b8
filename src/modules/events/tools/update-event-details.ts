import { z } from "zod";
import { uuid } from "../../../schema/fields.js";
import { changedFields } from "../../../tools/changes.js";
import { defineMutation } from "../../../tools/mutation.js";
import { eventOf } from "../../../tools/tool.js";
import { getEventDetails, saveEventDetails } from "../details-store.js";
import { changeDetails } from "../rules.js";
import { eventDetailsInput } from "../schema.js";

export const updateEventDetails = defineMutation({
  name: "update_event_details",
  title: "Update an event's details",
  group: "event_management",
  description:
    "Change an event's name, times, place, category, status, capacity or links. Send only what changes; null clears a field. Times are ISO 8601 with an offset; the run of show keeps its own times.",
  scope: "events:write",
  role: "admin",
  event: "host_or_co_host",
  destructive: true,
  input: z.object({ event_id: uuid, ...eventDetailsInput }),
  read: (context, input) => getEventDetails(context.tx, eventOf(context).id, Object.keys(input), context.baseUrl),
  propose: (current, { event_id: _, ...changes }) => changeDetails(current, changes),
  store: (context, { current, proposed }) =>
    saveEventDetails(context.tx, eventOf(context).id, changedFields(current, proposed)),
});
