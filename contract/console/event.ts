import { z } from "zod";
import { statuses } from "../nouns.js";
import { eventFields, hostRole } from "../schema/events.js";
import { line, timestamp, uuid } from "../schema/fields.js";
import { outputsOf } from "../schema/noun.js";
import { pageQuery } from "../schema/page.js";
import { poster, posterFormat, posterTemplate } from "../schema/posters.js";
import { proposal } from "../schema/proposals.js";
import { segmentFields } from "../schema/run-of-show.js";
import { speakerFields } from "../schema/speakers.js";
import { stateCounts } from "./guests.js";
import { stalePart } from "./organization.js";
import { count, eventParams, listOf, named, namedOrganization } from "./parts.js";

const eventDetails = z.object({
  id: uuid,
  ...outputsOf(eventFields),
  status: z.enum(statuses),
  run_of_show_published: z.boolean(),
  ticketing_linked: z.boolean(),
  conference: z.object({ id: uuid, name: z.string(), city: z.string(), status: z.string() }),
  created_at: timestamp,
  updated_at: timestamp,
});

const host = namedOrganization.extend({
  role: hostRole,
  logo_url: z.string().nullable(),
  website_url: z.string().nullable(),
});

/** An open offer to hand the event over. */
const hostOffer = z.object({ to: namedOrganization, from: namedOrganization, offered_at: timestamp });

const eventPage = z.object({
  event: eventDetails,
  /** Whether the organization hosts or co-hosts the event. */
  my_role: hostRole,
  hosts: z.array(host),
  /** Only for the two organizations that it is about. */
  host_offer: hostOffer.nullable(),
  /** Of a draft that the organization has proposed. */
  proposal: proposal.nullable(),
  /** When the organization cancelled the event, which can only be read since. */
  cancelled_at: timestamp.nullable(),
  guests: stateCounts,
  posters: z.object({ drafts: count, published: count, unposted: count }),
  speakers: z.object({ all: count, without_photo: count }),
  segments: count,
});

const speaker = z.object({
  id: uuid,
  ...outputsOf(speakerFields),
  segments: z.array(z.object({ id: uuid, title: z.string() })),
});

const eventPoster = poster.extend({ stale: z.array(stalePart) });

/** `outdated`: of all posters of the event those that can be redrawn because something on them is old. Only of the first page. */
const eventPosters = listOf(eventPoster).extend({ outdated: z.array(uuid) });

const segment = z.object({ id: uuid, ...outputsOf(segmentFields), speaker_ids: z.array(uuid) });

const speakerName = named.extend({ photo_url: z.string().nullable() });

const runOfShow = z.object({
  published: z.boolean(),
  segments: z.array(segment),
  speakers: z.array(speakerName),
});

export const eventOperations = {
  /** An event with its hosts and counts. */
  event: { params: eventParams, response: eventPage },
  /** All speakers of an event with their segments. */
  eventSpeakers: { params: eventParams, response: z.object({ speakers: z.array(speaker) }) },
  /** The posters of an event with captions and links. */
  eventPosters: { params: eventParams, query: pageQuery, response: eventPosters },
  /** The pictures of an event's posters, as one archive. */
  eventPictures: { params: eventParams },
  /** What a new poster would look like, as an image; nothing is stored. */
  posterPreview: {
    params: eventParams,
    query: z.object({
      template: posterTemplate,
      format: posterFormat,
      title: line(200).optional(),
      size: z.enum(["thumbnail", "full"]).default("thumbnail"),
      /** Anything: browsers keep pictures, and speakers may have changed since. */
      opened: z.string().optional(),
    }),
  },
  /** All segments of an event with whole notes, and the names of its speakers. */
  runOfShow: { params: eventParams, response: runOfShow },
};

export type EventDetails = z.output<typeof eventDetails>;
export type Host = z.output<typeof host>;
export type HostOffer = z.output<typeof hostOffer>;
export type EventPage = z.output<typeof eventPage>;
export type Speaker = z.output<typeof speaker>;
export type EventPoster = z.output<typeof eventPoster>;
export type Segment = z.output<typeof segment>;
export type SpeakerName = z.output<typeof speakerName>;
export type RunOfShow = z.output<typeof runOfShow>;
