import { z } from "zod";
import { uuid } from "../../../../contract/schema/fields.js";
import { defineEventMutation } from "../../../runner/mutation.js";
import { exampleIds } from "../../../schema/examples.js";
import { getPublishedPosters } from "../../posters/store.js";
import { stalePosterWarnings } from "../../posters/warnings.js";
import {
  findSpeaker,
  listSegmentsNaming,
  listSpeakerNames,
  removeSpeaker,
  type Speaker,
  type SpeakerName,
  unknownSpeaker,
} from "../store.js";

type SpeakerRemoval = {
  speaker: Speaker | null;
  speakers: SpeakerName[];
  named_in_segments: { id: string; title: string }[];
};

export const removeEventSpeaker = defineEventMutation({
  name: "remove_event_speaker",
  title: "Remove a speaker",
  group: "speakers",
  description: "Remove a speaker, also from the segments that have this speaker; the preview lists them.",
  scope: "events:write",
  role: "admin",
  example: { event_id: exampleIds.event, speaker_id: exampleIds.speakers[0] },
  event: "host_or_co_host",
  destructive: true,
  input: z.object({ speaker_id: uuid }),
  async read(context, input): Promise<SpeakerRemoval> {
    const { tx, baseUrl, event } = context;
    const [speaker, speakers, named_in_segments] = await Promise.all([
      findSpeaker(tx, event.id, input.speaker_id, baseUrl),
      listSpeakerNames(tx, event.id),
      listSegmentsNaming(tx, event.id, input.speaker_id),
    ]);
    return { speaker: speaker ?? null, speakers, named_in_segments };
  },
  propose(current, input) {
    if (current.speaker === null) throw unknownSpeaker(input.speaker_id);
    const speakers = current.speakers.filter(({ id }) => id !== input.speaker_id);
    return { speaker: null, speakers, named_in_segments: [] };
  },
  basis: ({ speaker, named_in_segments }) => ({ speaker, named_in_segments }),
  related: ({ tx, event }) => getPublishedPosters(tx, event.id),
  warnings: ({ input }, posters) =>
    stalePosterWarnings(posters, ({ speakers }) => ({
      speakers: speakers.filter(({ id }) => id !== input.speaker_id),
    })),
  store: (context, { input }) => removeSpeaker(context.tx, context.event.id, input.speaker_id),
  report: ({ current: { named_in_segments: segments } }) =>
    segments.length === 0
      ? {}
      : { note: `${segments.length === 1 ? "1 segment loses" : `${segments.length} segments lose`} this speaker` },
});
