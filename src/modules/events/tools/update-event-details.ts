import { updateRow } from "../../../platform/database/update-row.js";
import { exampleIds } from "../../../schema/examples.js";
import { changedFields } from "../../../tools/changes.js";
import { defineEventMutation } from "../../../tools/mutation.js";
import { changeDetails } from "../rules.js";
import { eventChanges } from "../schema.js";
import { getEventDetails } from "../store.js";

export const updateEventDetails = defineEventMutation({
  name: "update_event_details",
  title: "Update an event's details",
  group: "event_management",
  description:
    "Change an event's name, times, place, category, status, capacity or links. Send only what changes; null clears a field. Times are ISO 8601 with an offset; the run of show keeps its own times.",
  scope: "events:write",
  role: "admin",
  example: { event_id: exampleIds.event, venue: "Doca Central, Small Hall", capacity: 250 },
  event: "host_or_co_host",
  destructive: true,
  input: eventChanges,
  read: ({ tx, event, baseUrl }, input) => getEventDetails(tx, event.id, Object.keys(input), baseUrl),
  propose: changeDetails,
  store: ({ tx, event }, { current, proposed }) =>
    updateRow(tx, "events", { id: event.id }, changedFields(current, proposed)),
});
