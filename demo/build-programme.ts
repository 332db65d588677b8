import { type ConferenceSeed, conferences } from "./content/conferences.js";
import { type ConferenceEvent, events, getEventSeed } from "./content/events.js";
import { people } from "./content/people.js";
import { posters } from "./content/poster-seeds.js";
import { runOfShowFirstDays } from "./content/run-of-show-first-days.js";
import { runOfShowLaterDays } from "./content/run-of-show-later-days.js";
import { venues } from "./content/venues.js";
import { addDays, daysBefore, firstWeekdayAfter, zonedInstant } from "./demo-calendar.js";

import { imageUrl } from "./demo-images.js";
import type { DemoSource } from "./demo-source.js";
import type { ConferenceRow, EventRow, SegmentRow, SpeakerRow } from "./import-document.js";
import { posterId } from "./poster-material.js";
import { stableId, stableNumber } from "./stable-id.js";

const runsOfShow = [...runOfShowFirstDays, ...runOfShowLaterDays];

export function buildConferences({ now, manifest, baseUrl }: DemoSource): ConferenceRow[] {
  return conferences.map((seed) => {
    const startDate = startDateOf(seed, now);
    return {
      id: stableId(`conference ${seed.slug}`),
      name: seed.name,
      slug: seed.slug,
      short_name: seed.shortName,
      description: seed.description,
      city: seed.city,
      start_date: startDate,
      end_date: addDays(startDate, seed.lengthDays - 1),
      timezone: seed.timeZone,
      status: seed.status,
      category: seed.category,
      banner_thumbnail_url: imageUrl(baseUrl, manifest.banners[seed.slug]),
      created_at: daysBefore(now, seed.announcedDaysAgo),
    };
  });
}

export function buildEvents({ now, manifest, baseUrl }: DemoSource): EventRow[] {
  return events.map((seed) => {
    const firstPoster = posters.find((poster) => poster.event === seed.key && poster.state !== "draft");
    const tile = firstPoster && manifest.posters[posterId(firstPoster)]?.thumbnail;
    return {
      id: stableId(`event ${seed.key}`),
      conference: seed.conference,
      name: seed.name,
      start_time: instantOf(seed, seed.from, now),
      end_time: instantOf(seed, seed.to, now),
      timezone: conferenceOf(seed).timeZone,
      venue: venues[seed.venue].name,
      venue_address: venues[seed.venue].address,
      status: seed.status,
      category: seed.category,
      tier: seed.tier,
      description: seed.description,
      luma_url: seed.ticketed ? `https://luma.example.com/${seed.conference}/${seed.key}` : null,
      ticketing_event_id: seed.ticketed ? ticketingId(seed.key) : null,
      tile_image_url: imageUrl(baseUrl, tile),
      capacity: seed.capacity,
      run_of_show_published: runsOfShow.some((run) => run.event === seed.key && run.published),
      created_at: daysBefore(now, 60 + stableNumber(`created ${seed.key}`, 40), stableNumber(seed.key, 1440)),
      hosts: [
        { organization: seed.host, role: "host" as const },
        ...seed.coHosts.map((organization) => ({ organization, role: "co_host" as const })),
      ],
    };
  });
}

export function buildSpeakers(): SpeakerRow[] {
  return events.flatMap((event) =>
    event.speakers.map(([key, role]) => ({
      id: stableId(`speaker ${event.key} ${key}`),
      event: stableId(`event ${event.key}`),
      name: people[key].name,
      title: people[key].title,
      company: people[key].company,
      bio: people[key].bio,
      photo_url: null,
      links: {
        website: `https://${key}.example.net`,
        ...(stableNumber(`social ${key}`, 3) > 0 ? { mastodon: `https://social.example.org/@${key}` } : {}),
      },
      role,
    })),
  );
}

export function buildSegments(now: Date): SegmentRow[] {
  return runsOfShow.flatMap((run) => {
    const event = getEventSeed(run.event);
    return run.segments.map((segment) => ({
      id: stableId(`segment ${run.event} ${segment.title}`),
      event: stableId(`event ${run.event}`),
      title: segment.title,
      kind: segment.kind,
      start_time: instantOf(event, segment.at, now),
      duration_minutes: segment.minutes,
      location: segment.location,
      speakers: segment.speakers.map((person) => stableId(`speaker ${run.event} ${person}`)),
      notes: segment.notes,
    }));
  });
}

function instantOf(event: ConferenceEvent, time: string, now: Date): string {
  const conference = conferenceOf(event);
  const date = addDays(startDateOf(conference, now), event.day - 1);
  return zonedInstant(date, time, conference.timeZone).toISOString();
}

function startDateOf(conference: ConferenceSeed, now: Date): string {
  return firstWeekdayAfter(now, conference.startsAfterDays, conference.startsOnWeekday);
}

function conferenceOf(event: ConferenceEvent): ConferenceSeed {
  const conference = conferences.find(({ slug }) => slug === event.conference);
  if (!conference) throw new Error(`The demo has no conference with the slug ${event.conference}`);
  return conference;
}

/** Readable, so that a log of the ticketing sandbox shows which event is meant. */
function ticketingId(key: string): string {
  const words = key.split("-").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `evt-Demo${words.join("")}`;
}
