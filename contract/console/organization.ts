import { z } from "zod";
import { listedKinds } from "../attention.js";
import { appStates, shortestSearch } from "../nouns.js";
import { eventSorts } from "../orders.js";
import { listedStatus } from "../schema/conferences.js";
import { hostRole } from "../schema/events.js";
import { date, line, timestamp, uuid } from "../schema/fields.js";
import { keyState } from "../schema/keys.js";
import { memberRole } from "../schema/organizations.js";
import { pageQuery } from "../schema/page.js";
import { proposalList } from "../schema/proposals.js";
import { scopes } from "../scopes.js";
import { count, eventReference, listOf, named, namedOrganization } from "./parts.js";
import { listedRecord, recordFilters } from "./records.js";

const apiKey = z.object({
  id: uuid,
  prefix: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(scopes)),
  state: keyState,
  created_by: z.object({ id: uuid, name: z.string(), email: z.string(), role: memberRole.nullable() }),
  created_at: timestamp,
  expires_at: timestamp,
  revoked_at: timestamp.nullable(),
  replaced_at: timestamp.nullable(),
  last_used_at: timestamp.nullable(),
  days_left: count.nullable(),
  expires_soon: z.boolean(),
});

const connectedApp = z.object({
  id: uuid,
  name: z.string(),
  client_id: z.string(),
  scopes: z.array(z.enum(scopes)),
  state: z.enum(appStates),
  connected_by: z.object({ id: uuid, name: z.string(), email: z.string(), role: memberRole.nullable() }),
  connected_at: timestamp,
  last_used_at: timestamp.nullable(),
  ended_at: timestamp.nullable(),
});

const member = z.object({
  user_id: uuid,
  name: z.string(),
  email: z.string(),
  role: memberRole,
  active_keys: count,
  /** Nobody has proved that the address is theirs. */
  unverified: z.boolean(),
});

/** An invitation that can be accepted. */
export const openInvitation = z.object({
  id: uuid,
  email: z.string(),
  organization_id: uuid.nullable(),
  /** Its slug. */
  organization: z.string().nullable(),
  role: memberRole.nullable(),
  platform_admin: z.boolean(),
  invited_by: z.string(),
  created_at: timestamp,
  expires_at: timestamp,
});

/** One to an organization. */
const memberInvitation = openInvitation.extend({ role: memberRole });

const posterPicture = z.object({
  id: uuid,
  title: z.string().nullable(),
  image_url: z.string(),
  thumbnail_url: z.string().nullable(),
  /** As the maker of the poster stated them: of any type. */
  width: z.unknown(),
  height: z.unknown(),
  format: z.string().nullable(),
  alt_text: z.string().nullable(),
  event: named,
});

const postedLink = z.object({ platform: z.string(), url: z.string(), reported_at: timestamp });

const dashboardLink = postedLink.extend({ poster: posterPicture });

/** What is old on a poster. */
export const stalePart = z.enum(["name", "time", "place", "speakers"]);

const dashboardPoster = posterPicture.extend({
  published: z.boolean(),
  created_at: timestamp,
  links: z.array(postedLink),
  stale: z.array(stalePart),
});

const need = z.object({ kind: z.enum(listedKinds), count });

const dashboardEvent = z.object({
  id: uuid,
  name: z.string(),
  start_time: timestamp,
  end_time: timestamp,
  timezone: z.string(),
  venue: z.string().nullable(),
  status: listedStatus,
  role: hostRole,
  capacity: count.nullable(),
  pending: count,
  approved: count,
  waitlisted: count,
  checked_in: count,
  run_of_show_published: z.boolean(),
  /** What somebody should do, the most urgent first. */
  needs: z.array(need),
  posters: z.object({ published: count, drafts: count, unposted: count }),
  conference: z.object({ id: uuid, name: z.string(), city: z.string(), start_date: date, end_date: date }),
});

const receivedOffer = z.object({
  event: eventReference,
  from: namedOrganization,
  to: namedOrganization,
  offered_at: timestamp,
});

/** One line of the list of what needs attention: an event has one, whatever it needs. The page has the words and the action of each kind. */
const attentionLine = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("expiring_key"),
    key: z.object({ id: uuid, name: z.string(), expires_at: timestamp }),
  }),
  receivedOffer.extend({ kind: z.literal("host_offer") }),
  z.object({ kind: z.literal("event"), event: eventReference, needs: z.array(need) }),
]);

const news = z.object({ links: count, guests: count, changes: count, counted_at_most: count });

const dashboard = z.object({
  /** `events` are all that need something; the lines have the nearest. */
  attention: z.object({ lines: z.array(attentionLine), events: count }),
  /** The event that runs, or comes next. */
  next: dashboardEvent.nullable(),
  /** What an organization that begins has done of its first steps. */
  first_steps: z.object({ events: z.boolean(), logo: z.boolean(), colleague: z.boolean() }),
  since: timestamp.nullable(),
  news: news.nullable(),
  /** Where posters were posted, in lower case: not only those of the first links. */
  platforms: z.array(z.string()),
  links: listOf(dashboardLink),
  posters: listOf(dashboardPoster),
});

const platform = line(64).optional();

export const linkFilters = { platform };

export const dashboardPosterFilters = {
  state: z.enum(["draft", "published", "posted", "unposted"]).optional(),
  platform,
};

export const eventListFilters = {
  when: z.enum(["upcoming", "past"]).optional(),
  conference: uuid.optional(),
  /** Events that start from then on, and before then. */
  from: timestamp.optional(),
  until: timestamp.optional(),
  status: listedStatus.optional(),
  /** Only events that need somebody, among the next ones. */
  needs: z.literal("me").optional(),
};

const searched = z.object({
  query: line(100).min(shortestSearch, { error: `expected at least ${shortestSearch} characters` }),
});

const found = z.object({
  events: z.array(eventReference),
  guests: z.array(z.object({ id: uuid, name: z.string(), email: z.string(), event: named })),
});

const candidate = namedOrganization.extend({ logo_url: z.string().nullable() });

const activityRecord = listedRecord.extend({ revertible: z.boolean() });

export const organizationOperations = {
  keys: {
    response: z.object({ keys: z.array(apiKey), ended_keys: z.array(apiKey), ended_count: count }),
  },
  key: { params: z.object({ key: uuid }), response: apiKey },
  /** Apps that people have connected by signing in. */
  connectedApps: { response: z.object({ apps: z.array(connectedApp), ended_apps: z.array(connectedApp) }) },
  /** People of an organization, and for owners its open invitations. */
  members: {
    response: z.object({
      members: z.array(member),
      member_count: count,
      invitations: z.array(memberInvitation).nullable(),
    }),
  },
  /** What comes next, what needs attention, what is new, and the first of the links and posters. */
  dashboard: { response: dashboard },
  /** Note that the person looks at the dashboard. */
  noteVisit: {},
  /** Events that the organization has proposed, and the conferences for which it may propose more. */
  proposals: { response: proposalList },
  /** The organization's events. */
  events: {
    query: pageQuery.extend({ ...eventListFilters, sort: z.enum(eventSorts).default(eventSorts[0]) }),
    response: listOf(dashboardEvent),
  },
  /** The conferences of these events, the latest first. */
  conferences: { response: z.object({ items: z.array(named) }) },
  /** The organization's posters with their links. */
  posters: { query: pageQuery.extend(dashboardPosterFilters), response: listOf(dashboardPoster) },
  /** Where the organization's posters were posted. */
  links: { query: pageQuery.extend(linkFilters), response: listOf(dashboardLink) },
  /** Events and guests by words of their names. */
  search: { query: searched, response: found },
  /** Records of changes, newest first. */
  activity: { query: pageQuery.extend(recordFilters), response: listOf(activityRecord) },
  /** The same for a spreadsheet, all of it. */
  exportActivity: { query: z.object(recordFilters) },
  /** The parts of a change that are not undone, the last one first. */
  changeParts: {
    params: z.object({ record: uuid }),
    response: z.object({ items: z.array(z.object({ id: uuid, changed: count })) }),
  },
  /** Whose changes can be looked for. */
  activityPeople: { response: z.object({ items: z.array(named) }) },
  /** Organizations that can become hosts of an event. */
  hostCandidates: { query: searched, response: z.object({ organizations: z.array(candidate) }) },
  /** What changes in an organization, live. */
  changes: {},
};

export type ApiKey = z.output<typeof apiKey>;
export type ConnectedAppList = z.output<(typeof organizationOperations)["connectedApps"]["response"]>;
export type KeyList = z.output<(typeof organizationOperations)["keys"]["response"]>;
export type Member = z.output<typeof member>;
export type Invitation = z.output<typeof openInvitation>;
export type MemberInvitation = z.output<typeof memberInvitation>;
export type DashboardLink = z.output<typeof dashboardLink>;
export type DashboardPoster = z.output<typeof dashboardPoster>;
export type DashboardEvent = z.output<typeof dashboardEvent>;
export type StalePart = z.output<typeof stalePart>;
export type ReceivedOffer = z.output<typeof receivedOffer>;
export type AttentionLine = z.output<typeof attentionLine>;
export type News = z.output<typeof news>;
export type FirstSteps = Dashboard["first_steps"];
export type Dashboard = z.output<typeof dashboard>;
export type EventQuery = z.input<(typeof organizationOperations)["events"]["query"]>;
export type PosterState = NonNullable<z.output<(typeof dashboardPosterFilters)["state"]>>;
export type Found = z.output<typeof found>;
export type HostCandidate = z.output<typeof candidate>;
export type ActivityRecord = z.output<typeof activityRecord>;
