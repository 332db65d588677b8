import { z } from "zod";
import { uuid } from "../../../schema/fields.js";
import { defineEventMutation } from "../../../tools/mutation.js";
import { speakerInput } from "../schema.js";
import { getSpeaker, type SpeakerFields, saveSpeaker } from "../store.js";

export const updateEventSpeaker = defineEventMutation({
  name: "update_event_speaker",
  title: "Update a speaker",
  group: "speakers",
  description:
    "Change fields of a speaker. Send only those to change; null clears one, links is replaced whole. speaker_id: see get_event_admin_snapshot.",
  scope: "events:write",
  role: "admin",
  event: "host_or_co_host",
  destructive: true,
  input: z.object({
    speaker_id: uuid,
    name: speakerInput.name.exactOptional(),
    title: speakerInput.title.exactOptional(),
    company: speakerInput.company.exactOptional(),
    bio: speakerInput.bio.exactOptional(),
    photo_url: speakerInput.photo_url.exactOptional(),
    links: speakerInput.links.exactOptional(),
    role: speakerInput.role.exactOptional(),
  }),
  async read(context, { speaker_id, ...fields }): Promise<State> {
    const speaker = await getSpeaker(context.tx, context.event.id, speaker_id, context.baseUrl);
    const touched = Object.keys(fields) as (keyof SpeakerFields)[];
    // Fields that stay are left out, a long biography first of all; the name tells who it is.
    return {
      speaker: {
        id: speaker.id,
        name: speaker.name,
        ...Object.fromEntries(touched.map((field) => [field, speaker[field]])),
      },
    };
  },
  propose: ({ speaker }, { speaker_id: _, ...fields }) => ({ speaker: { ...speaker, ...fields } }),
  store: (context, { input: { speaker_id, ...fields } }) =>
    saveSpeaker(context.tx, context.event.id, speaker_id, fields),
});

type State = { speaker: Partial<SpeakerFields> & { id: string; name: string } };
