import { z } from "zod";
import { uuidList } from "../../../../contract/schema/fields.js";
import { defineEventMutation } from "../../../runner/mutation.js";
import { exampleIds } from "../../../schema/examples.js";
import { inNewOrder } from "../rules.js";
import { listSpeakerNames, saveSpeakerOrder } from "../store.js";

export const reorderEventSpeakers = defineEventMutation({
  name: "reorder_event_speakers",
  title: "Reorder speakers",
  group: "speakers",
  description: "Put the speakers into a new order. speaker_ids must list every speaker once.",
  scope: "events:write",
  role: "admin",
  example: { event_id: exampleIds.event, speaker_ids: exampleIds.speakers.toReversed() },
  event: "host_or_co_host",
  destructive: true,
  input: z.object({ speaker_ids: uuidList(1000) }),
  read: async (context) => ({ speakers: await listSpeakerNames(context.tx, context.event.id) }),
  propose: ({ speakers }, input) => ({ speakers: inNewOrder(speakers, input.speaker_ids) }),
  basis: ({ speakers }) => speakers.map(({ id }) => id),
  store: (context, { proposed }) =>
    saveSpeakerOrder(
      context.tx,
      context.event.id,
      proposed.speakers.map(({ id }) => id),
    ),
});
