import { randomUUID } from "node:crypto";
import { z } from "zod";
import { ServiceError } from "../../../../contract/errors.js";
import { integer } from "../../../../contract/schema/fields.js";
import { speakerInput } from "../../../../contract/schema/speakers.js";
import { defineEventMutation } from "../../../runner/mutation.js";
import { exampleIds } from "../../../schema/examples.js";
import { imageWarnings } from "../../images/warnings.js";
import { maximumSpeakers } from "../rules.js";
import { addSpeaker, countSpeakersNamed, findSpeaker, listSpeakerNames, type SpeakerFields } from "../store.js";

/** The speaker, who has no id yet, and all speakers in order. */
type NewSpeaker = {
  speaker: (SpeakerFields & { id: string | null }) | null;
  speakers: { id: string | null; name: string }[];
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
  async read({ tx, baseUrl, event }, _, { id }): Promise<NewSpeaker> {
    const [speaker, speakers] = await Promise.all([
      findSpeaker(tx, event.id, id, baseUrl),
      listSpeakerNames(tx, event.id),
    ]);
    return { speaker: speaker ?? null, speakers };
  },
  propose({ speakers }, { position, ...fields }) {
    if (speakers.length >= maximumSpeakers) {
      throw new ServiceError("conflict", `An event has at most ${maximumSpeakers} speakers: remove one first`);
    }
    const place = Math.min(position ?? maximumSpeakers, speakers.length + 1) - 1;
    return {
      speaker: { id: null, ...fields },
      speakers: speakers.toSpliced(place, 0, { id: null, name: fields.name }),
    };
  },
  related: ({ tx, event }, { name }) => countSpeakersNamed(tx, event.id, name),
  // Not the other speakers, whose number `propose` checks; but the same speaker is not added twice without another look.
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
