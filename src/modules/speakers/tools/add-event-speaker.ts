import { randomUUID } from "node:crypto";
import { z } from "zod";
import { ServiceError } from "../../../platform/errors.js";
import { exampleIds } from "../../../schema/examples.js";
import { integer } from "../../../schema/fields.js";
import { defineEventMutation } from "../../../tools/mutation.js";
import { imageWarnings } from "../../images/warnings.js";
import { maximumSpeakers } from "../rules.js";
import { speakerInput } from "../schema.js";
import {
  addSpeaker,
  countSpeakers,
  countSpeakersNamed,
  findSpeaker,
  findSpeakerPlace,
  type SpeakerFields,
} from "../store.js";

/** `position` if the request names one; it counts from 1. */
type NewSpeaker = {
  speaker_count: number;
  position?: number | null;
  speaker: (SpeakerFields & { id: string | null }) | null;
};

export const addEventSpeaker = defineEventMutation({
  name: "add_event_speaker",
  title: "Add a speaker",
  group: "speakers",
  description: "Add a speaker and return the new id. links maps names to URLs.",
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
    position: integer(1, maximumSpeakers).exactOptional().meta({ description: "1 is first; default: last" }),
  }),
  // The id is generated first, so that the row can be read back after it is stored.
  prepare: async () => ({ id: randomUUID() as string }),
  async read(context, { position }, { id }): Promise<NewSpeaker> {
    const { tx, baseUrl, event } = context;
    const [speaker_count, speaker, place] = await Promise.all([
      countSpeakers(tx, event.id),
      findSpeaker(tx, event.id, id, baseUrl),
      position === undefined ? undefined : findSpeakerPlace(tx, event.id, id),
    ]);
    return { speaker_count, ...(place === undefined ? {} : { position: place }), speaker: speaker ?? null };
  },
  propose(current, { position, ...fields }) {
    if (current.speaker_count >= maximumSpeakers) {
      throw new ServiceError("conflict", `An event has at most ${maximumSpeakers} speakers: remove one first`);
    }
    const speaker_count = current.speaker_count + 1;
    return {
      speaker_count,
      ...(position === undefined ? {} : { position: Math.min(position, speaker_count) }),
      speaker: { id: null, ...fields },
    };
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
  store({ tx, event }, { input: { position, ...fields }, prepared }) {
    return addSpeaker(tx, event.id, { id: prepared.id, ...fields }, position);
  },
});
