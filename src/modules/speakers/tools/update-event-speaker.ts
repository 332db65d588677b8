import { z } from "zod";
import { uuid } from "../../../../contract/schema/fields.js";
import { changesOf } from "../../../../contract/schema/noun.js";
import { speakerInput } from "../../../../contract/schema/speakers.js";
import { updateRow } from "../../../infra/database/update-row.js";
import { defineEventMutation } from "../../../runner/mutation.js";
import { exampleIds } from "../../../schema/examples.js";
import { imageWarnings } from "../../images/warnings.js";
import { getPublishedPosters } from "../../posters/store.js";
import { stalePosterWarnings } from "../../posters/warnings.js";
import { getSpeaker, type SpeakerFields } from "../store.js";

export const updateEventSpeaker = defineEventMutation({
  name: "update_event_speaker",
  title: "Update a speaker",
  group: "speakers",
  description: "Change a speaker. Send only what changes; null clears a field; links is replaced as a whole.",
  scope: "events:write",
  role: "admin",
  example: { event_id: exampleIds.event, speaker_id: exampleIds.speakers[1], title: "Chief Architect" },
  event: "host_or_co_host",
  destructive: true,
  input: z.object({
    speaker_id: uuid,
    ...changesOf(speakerInput),
  }),
  async read(context, { speaker_id, ...fields }): Promise<SpeakerChange> {
    const speaker = await getSpeaker(context.tx, context.event.id, speaker_id, context.baseUrl);
    const touched = Object.keys(fields) as (keyof SpeakerFields)[];
    // Fields that stay are omitted, because a biography can be long; the name identifies the speaker.
    return {
      speaker: {
        id: speaker.id,
        name: speaker.name,
        ...Object.fromEntries(touched.map((field) => [field, speaker[field]])),
      },
    };
  },
  propose: ({ speaker }, { speaker_id: _, ...fields }) => ({ speaker: { ...speaker, ...fields } }),
  related: async ({ tx, event }, { name }) => (name === undefined ? undefined : getPublishedPosters(tx, event.id)),
  warnings: ({ input, proposed: { speaker } }, posters) => [
    ...imageWarnings({ "speaker.photo_url": input.photo_url }),
    ...stalePosterWarnings(posters, ({ speakers }) => ({
      speakers: speakers.map((other) => (other.id === speaker.id ? speaker : other)),
    })),
  ],
  store: (context, { input: { speaker_id, ...fields } }) =>
    updateRow(context.tx, "speakers", { id: speaker_id, event_id: context.event.id }, fields),
});

type SpeakerChange = { speaker: Partial<SpeakerFields> & { id: string; name: string } };
