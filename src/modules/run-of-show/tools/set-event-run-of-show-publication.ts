import { z } from "zod";
import { exampleIds } from "../../../schema/examples.js";
import { flag } from "../../../schema/fields.js";
import { defineEventMutation } from "../../../tools/mutation.js";
import { getPublication, savePublication } from "../store.js";

export const setEventRunOfShowPublication = defineEventMutation({
  name: "set_event_run_of_show_publication",
  title: "Publish the run of show",
  group: "production",
  description:
    "Publish an event's run of show, or unpublish it with published: false. Check it first with get_event_run_of_show.",
  scope: "events:write",
  role: "admin",
  example: { event_id: exampleIds.event, published: false },
  event: "host_or_co_host",
  destructive: false,
  input: z.object({ published: flag }),
  read: (context) => getPublication(context.tx, context.event.id),
  propose: (current, { published }) => ({ ...current, published }),
  store: (context, { proposed }) => savePublication(context.tx, context.event.id, proposed.published),
});
