import { z } from "zod";
import { uuidList } from "../../../schema/fields.js";
import { defineEventMutation } from "../../../tools/mutation.js";
import { inNewOrder } from "../rules.js";
import { listSpeakerNames, saveSpeakerOrder } from "../store.js";

export const reorderEventSpeakers = defineEventMutation({
  name: "reorder_event_speakers",
  title: "Reorder speakers",
  group: "speakers",
  description: "Put the speakers of an event in a new order: speaker_ids lists every speaker exactly once.",
  scope: "events:write",
  role: "admin",
  event: "host_or_co_host",
  destructive: true,
  input: z.object({ speaker_ids: uuidList(1000) }),
  read: async (context) => ({ speakers: await listSpeakerNames(context.tx, context.event.id) }),
  propose: ({ speakers }, input) => ({ speakers: inNewOrder(speakers, input.speaker_ids) }),
  store: (context, { proposed }) =>
    saveSpeakerOrder(
      context.tx,
      context.event.id,
      proposed.speakers.map(({ id }) => id),
    ),
});
