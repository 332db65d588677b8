import { randomUUID } from "node:crypto";
import { z } from "zod";
import { ServiceError } from "../../../platform/errors.js";
import { exampleIds } from "../../../schema/examples.js";
import { defineEventMutation } from "../../../tools/mutation.js";
import { maximumSpeakers } from "../rules.js";
import { speakerInput } from "../schema.js";
import { addSpeaker, countSpeakers, findSpeaker, type SpeakerFields } from "../store.js";

type NewSpeaker = { speaker_count: number; speaker: (SpeakerFields & { id: string | null }) | null };

export const addEventSpeaker = defineEventMutation({
  name: "add_event_speaker",
  title: "Add a speaker",
  group: "speakers",
  description:
    "Add a speaker to an event, in last position; reorder_event_speakers changes the order. links: name to URL. Returns the new speaker with its id.",
  scope: "events:write",
  role: "admin",
  example: { event_id: exampleIds.event, name: "Ada Lovelace", title: "Mathematician" },
  event: "host_or_co_host",
  destructive: false,
  input: z.object({
    name: speakerInput.name,
    title: speakerInput.title.default(null),
    company: speakerInput.company.default(null),
    bio: speakerInput.bio.default(null),
    photo_url: speakerInput.photo_url.default(null),
    links: speakerInput.links.default({}).meta({ description: "default: none" }),
    role: speakerInput.role.default("speaker"),
  }),
  // The id is generated first, so that the row can be read back after it is stored.
  prepare: async () => ({ id: randomUUID() as string }),
  async read(context, _input, { id }): Promise<NewSpeaker> {
    const { tx, baseUrl } = context;
    const { event } = context;
    return {
      speaker_count: await countSpeakers(tx, event.id),
      speaker: (await findSpeaker(tx, event.id, id, baseUrl)) ?? null,
    };
  },
  propose(current, fields) {
    if (current.speaker_count >= maximumSpeakers) {
      throw new ServiceError("conflict", `An event has at most ${maximumSpeakers} speakers: remove one first`);
    }
    return { speaker_count: current.speaker_count + 1, speaker: { id: null, ...fields } };
  },
  store: (context, { input, prepared }) => addSpeaker(context.tx, context.event.id, { id: prepared.id, ...input }),
});
