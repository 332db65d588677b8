import { z } from "zod";
import { changedFields } from "../../../../contract/changes.js";
import { fieldError } from "../../../../contract/errors.js";
import type { Status } from "../../../../contract/nouns.js";
import { minutesBetween, type Start, shifted, startsOf } from "../../../../contract/run-of-show.js";
import { eventChanges } from "../../../../contract/schema/events.js";
import { flag } from "../../../../contract/schema/fields.js";
import { updateRow } from "../../../infra/database/update-row.js";
import { defineEventMutation } from "../../../runner/mutation.js";
import { exampleIds } from "../../../schema/examples.js";
import { requireStoredImages, withImagePaths } from "../../images/store.js";
import { listSegmentTimes, saveStarts } from "../../run-of-show/store.js";
import { changeDetails, type EventDetails } from "../rules.js";
import { getEventDetails } from "../store.js";
import { detailsWarnings, readSurroundings } from "../warnings.js";

/** `segments` are those of the run of show, if it moves too. */
type DetailsState = EventDetails & { segments?: Start[] };

export const updateEventDetails = defineEventMutation({
  name: "update_event_details",
  title: "Update an event's details",
  group: "event_management",
  description:
    "Change an event. Send only what changes; null clears a field. To move an event, send start_time and end_time with an offset, such as 2027-02-04T11:00+09:00 (start_time alone changes its length); move_run_of_show: true moves the segments too.",
  scope: "events:write",
  role: "admin",
  example: { event_id: exampleIds.event, venue: "Doca Central, Small Hall", capacity: 250 },
  event: "host_or_co_host",
  destructive: true,
  input: z.object({
    ...eventChanges.shape,
    move_run_of_show: flag.exactOptional().meta({ type: "boolean" }),
  }),
  async read({ tx, event, baseUrl }, { move_run_of_show: moves, ...fields }): Promise<DetailsState> {
    const [details, segments] = await Promise.all([
      getEventDetails(tx, event.id, Object.keys(fields), baseUrl),
      moves ? listSegmentTimes(tx, event.id) : undefined,
    ]);
    await requireStoredImages(tx, baseUrl, ["tile_image_url"], details, fields);
    return { ...details, ...(segments && { segments: startsOf(segments) }) };
  },
  propose({ segments, ...current }, { move_run_of_show: _, ...fields }) {
    if (fields.status !== undefined) requireListed(current.status);
    const proposed = changeDetails(current, fields);
    if (segments === undefined) return proposed;
    if (fields.start_time === undefined || current.start_time === undefined) {
      throw fieldError("move_run_of_show", "send it with a new start_time, by which the run of show moves");
    }
    return { ...proposed, segments: shifted(segments, minutesBetween(current.start_time, fields.start_time)) };
  },
  related: ({ tx, event }, input) => readSurroundings(tx, event.id, input),
  warnings: (proposal, related) => detailsWarnings(proposal, related),
  async store({ tx, event, baseUrl }, { current, proposed }) {
    const { segments, ...details } = changedFields(current, proposed);
    const stored = await withImagePaths(tx, baseUrl, ["tile_image_url"], details);
    await Promise.all([
      updateRow(tx, "events", { id: event.id }, stored),
      segments && saveStarts(tx, event.id, segments),
    ]);
  },
});

/** The status of a proposal is the decision of the platform's administrators. */
function requireListed(status: Status | undefined): void {
  if (status !== "draft") return;
  throw fieldError(
    "status",
    "this event is a proposal: the platform's administrators approve it or return it; omit status",
  );
}
