import { randomUUID } from "node:crypto";
import { z } from "zod";
import { ServiceError } from "../../../platform/errors.js";
import { exampleIds } from "../../../schema/examples.js";
import { defineEventMutation } from "../../../tools/mutation.js";
import { imageWarnings } from "../../images/warnings.js";
import { maximumSpeakers } from "../rules.js";
import { speakerInput } from "../schema.js";
import { addSpeaker, countSpeakers, countSpeakersNamed, findSpeaker, type SpeakerFields } from "../store.js";

type NewSpeaker = { speaker_count: number; speaker: (SpeakerFields & { id: string | null }) | null };

export const addEventSpeaker = defineEventMutation({
  name: "add_event_speaker",
  title: "Add a speaker",
  group: "speakers",
  description:
    "Add a speaker, in last position (reorder_event_speakers changes it). links: name to URL. Returns the speaker's id.",
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
    links: speakerInput.links.default({}),
    role: speakerInput.role.default("speaker"),
  }),
  // The id is generated first, so that the row can be read back after it is stored.
  prepare: async () => ({ id: randomUUID() as string }),
  async read(context, _input, { id }): Promise<NewSpeaker> {
    const { tx, baseUrl, event } = context;
    const [speaker_count, speaker] = await Promise.all([
      countSpeakers(tx, event.id),
      findSpeaker(tx, event.id, id, baseUrl),
    ]);
    return { speaker_count, speaker: speaker ?? null };
  },
  propose(current, fields) {
    if (current.speaker_count >= maximumSpeakers) {
      throw new ServiceError("conflict", `An event has at most ${maximumSpeakers} speakers: remove one first`);
    }
    return { speaker_count: current.speaker_count + 1, speaker: { id: null, ...fields } };
  },
  beside: ({ tx, event }, { name }) => countSpeakersNamed(tx, event.id, name),
  // Not the number of speakers, which `propose` checks; but the same speaker is not added twice without another look.
  basis: (_current, _input, namesakes) => namesakes,
  warnings({ input }, namesakes) {
    const path = "speaker.name";
    const message = `The event has a speaker of this name already: ${input.name}`;
    return [
      ...(namesakes === 0 ? [] : [{ code: "duplicate" as const, message, path }]),
      ...imageWarnings({ "speaker.photo_url": input.photo_url }),
    ];
  },
  store: (context, { input, prepared }) => addSpeaker(context.tx, context.event.id, { id: prepared.id, ...input }),
});
