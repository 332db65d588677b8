import { randomUUID } from "node:crypto";
import { z } from "zod";
import { changedFields } from "../../../contract/changes.js";
import { ServiceError } from "../../../contract/errors.js";
import { integer, uuid, uuidList } from "../../../contract/schema/fields.js";
import { changesOf } from "../../../contract/schema/noun.js";
import { speakerInput } from "../../../contract/schema/speakers.js";
import { updateRow } from "../../infra/database/update-row.js";
import { defineEventMutation } from "../../runner/mutation.js";
import { exampleIds } from "../../schema/examples.js";
import { requireStoredImages, withImagePaths } from "../images/store.js";
import { imageWarnings } from "../images/warnings.js";
import { getPublishedPosters } from "../posters/store.js";
import { stalePosterWarnings } from "../posters/warnings.js";
import {
  addSpeaker,
  countSpeakersNamed,
  findSpeaker,
  getSpeaker,
  inNewOrder,
  listSegmentsNaming,
  listSpeakerNames,
  maximumSpeakers,
  removeSpeaker,
  type Speaker,
  type SpeakerFields,
  type SpeakerName,
  saveSpeakerOrder,
  unknownSpeaker,
} from "./store.js";

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
  async read({ tx, baseUrl, event }, input, { id }): Promise<NewSpeaker> {
    const [speaker, speakers] = await Promise.all([
      findSpeaker(tx, event.id, id, baseUrl),
      listSpeakerNames(tx, event.id),
    ]);
    await requireStoredImages(tx, baseUrl, ["photo_url"], speaker ?? {}, input);
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
  async store({ tx, event, baseUrl }, { input: { position, ...fields }, prepared }) {
    const stored = await withImagePaths(tx, baseUrl, ["photo_url"], fields);
    await addSpeaker(tx, event.id, { id: prepared.id, ...stored }, position);
  },
});

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
    await requireStoredImages(context.tx, context.baseUrl, ["photo_url"], speaker, fields);
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
  async store({ tx, event, baseUrl }, { current, proposed: { speaker } }) {
    const stored = await withImagePaths(tx, baseUrl, ["photo_url"], changedFields(current.speaker, speaker));
    await updateRow(tx, "speakers", { id: speaker.id, event_id: event.id }, stored);
  },
});

type SpeakerChange = { speaker: Partial<SpeakerFields> & { id: string; name: string } };

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

export const reorderEventSpeakers = defineEventMutation({
  name: "reorder_event_speakers",
  title: "Reorder speakers",
  group: "speakers",
  description: "Put the speakers into a new order. speaker_ids lists each once.",
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
