import { z } from "zod";
import { flag } from "../../../../contract/schema/fields.js";
import { defineEventMutation } from "../../../runner/mutation.js";
import { exampleIds } from "../../../schema/examples.js";
import { getPublication, getSchedule, savePublication } from "../store.js";
import { scheduleWarnings } from "../warnings.js";

export const setEventRunOfShowPublication = defineEventMutation({
  name: "set_event_run_of_show_publication",
  title: "Publish or unpublish the run of show",
  group: "production",
  description:
    "Mark the run of show as published, or with published: false as a draft. Hosts and co-hosts see it in either state, with its notes; this service shows it to nobody else, and nobody is notified.",
  scope: "events:write",
  role: "admin",
  example: { event_id: exampleIds.event, published: false },
  event: "host_or_co_host",
  destructive: false,
  input: z.object({ published: flag }),
  read: (context) => getPublication(context.tx, context.event.id),
  propose: (current, { published }) => ({ ...current, published }),
  basis: ({ published }) => published,
  related: async ({ tx, event }, { published }) => (published ? getSchedule(tx, event.id) : undefined),
  warnings(_proposal, schedule) {
    if (schedule === undefined) return [];
    if (schedule.segments.length > 0) return scheduleWarnings({ ...schedule, segments: [] }, schedule.segments);
    return [{ code: "run_of_show_empty", message: "The run of show has no segments" }];
  },
  store: (context, { proposed }) => savePublication(context.tx, context.event.id, proposed.published),
});
