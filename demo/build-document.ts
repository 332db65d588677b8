import { buildPosters, posterId } from "./build-posters.js";
import { buildRegistrations } from "./build-registrations.js";
import { addDays, daysBefore, firstWeekdayAfter, zonedInstant } from "./calendar.js";
import { type DemoConference, type DemoContent, type DemoEvent, readDemoContent } from "./content.js";
import type {
  ConferenceRow,
  DemoDocument,
  DemoSource,
  EventRow,
  OrganizationRow,
  SegmentRow,
  SpeakerRow,
} from "./demo-document.js";
import { demoImageUrl, readImageManifest } from "./image-manifest.js";
import { eventId, stableId, stableNumber } from "./stable-id.js";

/**
 * Builds the demo data in the import format. Ids never change; dates are relative to `now`, so that every event is in
 * the future and everything that has happened is in the past. The same options give the same document.
 */
export function buildDemoDocument(options: { baseUrl: string; now: Date; content?: DemoContent }): DemoDocument {
  const { baseUrl, now, content = readDemoContent() } = options;
  const source = { content, manifest: readImageManifest(), baseUrl: baseUrl.replace(/\/+$/, ""), now };
  return {
    users: content.users.map((user) => ({ id: stableId(`user ${user.email}`), ...user })),
    organizations: buildOrganizations(source),
    conferences: buildConferences(source),
    events: buildEvents(source),
    posters: buildPosters(source),
    speakers: buildSpeakers(source),
    registrations: buildRegistrations(source),
    segments: buildSegments(source),
  };
}

function buildOrganizations({ content, manifest, baseUrl }: DemoSource): OrganizationRow[] {
  return content.organizations.map((organization) => ({
    id: stableId(`organization ${organization.slug}`),
    name: organization.name,
    slug: organization.slug,
    description: organization.description,
    website_url: organization.website_url,
    contact_email: organization.contact_email,
    social_links: organization.social_links,
    logo_url: demoImageUrl(baseUrl, manifest.logos[organization.slug]?.light),
    logo_dark_url: demoImageUrl(baseUrl, manifest.logos[organization.slug]?.dark),
    brand_primary_color: organization.brand_primary_color,
    brand_secondary_color: organization.brand_secondary_color,
    members: organization.members,
  }));
}

function buildConferences({ content, manifest, baseUrl, now }: DemoSource): ConferenceRow[] {
  return content.conferences.map((conference) => {
    const startDate = startDateOf(conference, now);
    return {
      id: stableId(`conference ${conference.slug}`),
      name: conference.name,
      slug: conference.slug,
      short_name: conference.short_name,
      description: conference.description,
      city: conference.city,
      start_date: startDate,
      end_date: addDays(startDate, conference.length_days - 1),
      timezone: conference.timezone,
      status: conference.status,
      category: conference.category,
      banner_thumbnail_url: demoImageUrl(baseUrl, manifest.banners[conference.slug]),
      created_at: daysBefore(now, conference.announced_days_ago),
    };
  });
}

function buildEvents({ content, manifest, baseUrl, now }: DemoSource): EventRow[] {
  return content.events.map((event) => {
    const firstPoster = content.posters.find((poster) => poster.event === event && poster.published);
    const tile = firstPoster && manifest.posters[posterId(firstPoster)]?.thumbnail;
    return {
      id: eventId(event.key),
      conference: event.conference.slug,
      name: event.name,
      start_time: instantOf(event, event.from, now),
      end_time: instantOf(event, event.to, now),
      timezone: event.conference.timezone,
      venue: event.venue.name,
      venue_address: event.venue.address,
      status: event.status,
      category: event.category,
      tier: event.tier,
      description: event.description,
      luma_url: event.ticketed ? `https://luma.example.com/${event.conference.slug}/${event.key}` : null,
      ticketing_event_id: event.ticketed ? ticketingEventId(event.key) : null,
      tile_image_url: demoImageUrl(baseUrl, tile),
      capacity: event.capacity,
      run_of_show_published: content.runsOfShow.some((run) => run.event === event && run.published),
      created_at: daysBefore(now, 60 + stableNumber(`created ${event.key}`, 40), stableNumber(event.key, 1440)),
      hosts: [
        { organization: event.host.slug, role: "host" as const },
        ...event.co_hosts.map(({ slug }) => ({ organization: slug, role: "co_host" as const })),
      ],
    };
  });
}

function buildSpeakers({ content }: DemoSource): SpeakerRow[] {
  return content.events.flatMap((event) =>
    event.speakers.map(({ key, name, title, company, bio, role }) => ({
      id: speakerId(event.key, key),
      event: eventId(event.key),
      name,
      title,
      company,
      bio,
      photo_url: null,
      links: {
        website: `https://${key}.example.net`,
        ...(stableNumber(`social ${key}`, 3) > 0 ? { mastodon: `https://social.example.org/@${key}` } : {}),
      },
      role,
    })),
  );
}

function buildSegments({ content, now }: DemoSource): SegmentRow[] {
  return content.runsOfShow.flatMap(({ event, segments }) =>
    segments.map((segment) => ({
      id: stableId(`segment ${event.key} ${segment.title}`),
      event: eventId(event.key),
      title: segment.title,
      kind: segment.kind,
      start_time: instantOf(event, segment.at, now),
      duration_minutes: segment.minutes,
      location: segment.location,
      speakers: segment.speakers.map((person) => speakerId(event.key, person)),
      notes: segment.notes,
    })),
  );
}

function speakerId(eventKey: string, personKey: string): string {
  return stableId(`speaker ${eventKey} ${personKey}`);
}

function instantOf(event: DemoEvent, time: string, now: Date): string {
  const date = addDays(startDateOf(event.conference, now), event.day - 1);
  return zonedInstant(date, time, event.conference.timezone).toISOString();
}

function startDateOf(conference: DemoConference, now: Date): string {
  return firstWeekdayAfter(now, conference.starts_after_days, conference.starts_on_weekday);
}

/** Derived from the key, so that logs of the ticketing sandbox show which event is meant. */
function ticketingEventId(key: string): string {
  const words = key.split("-").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `evt-Demo${words.join("")}`;
}
