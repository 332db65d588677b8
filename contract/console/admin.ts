import { z } from "zod";
import { platformKeyTiers, statuses } from "../nouns.js";
import { byNameOrAge, byTime } from "../orders.js";
import { conferenceCategory } from "../schema/conferences.js";
import { eventCategory, eventFields, hostRole } from "../schema/events.js";
import { date, timestamp, uuid } from "../schema/fields.js";
import { keyState } from "../schema/keys.js";
import { outputsOf } from "../schema/noun.js";
import { memberRole, organizationFields } from "../schema/organizations.js";
import { pageQuery } from "../schema/page.js";
import { proposal } from "../schema/proposals.js";
import { openInvitation } from "./organization.js";
import { byId, count, listOf, named, namedOrganization, words } from "./parts.js";
import { adminRecordFilters, listedRecord } from "./records.js";

/** What platform administrators read, in any status. */

const status = z.enum(statuses);

const inTime = { sort: z.enum(byTime).default(byTime[0]) };
const inNameOrAge = { sort: z.enum(byNameOrAge).default(byNameOrAge[0]) };

export const conferenceFilters = { q: words, status: status.optional() };
export const adminEventFilters = {
  q: words,
  conference: uuid.optional(),
  organization: uuid.optional(),
  status: status.optional(),
  /** Only those that organizers have proposed and that wait for a decision. */
  proposed: z.literal("true").optional(),
};
export const organizationFilters = { q: words };
export const personFilters = { q: words, id: uuid.optional(), platform_admin: z.literal("true").optional() };

const conferenceBasics = z.object({
  id: uuid,
  name: z.string(),
  slug: z.string(),
  city: z.string(),
  start_date: date,
  end_date: date,
  timezone: z.string(),
  status,
  category: conferenceCategory,
});

const listedConference = conferenceBasics.extend({ events: count, drafts: count });

const conferenceDetails = conferenceBasics.extend({
  short_name: z.string(),
  description: z.string(),
  banner_thumbnail_url: z.string().nullable(),
  events_by_status: z.object({ draft: count, approved: count, published: count, archived: count }),
  keys: count,
});

const namedConference = z.object({ id: uuid, name: z.string(), slug: z.string(), status });

/** Of a draft that organizers have proposed. */
const adminProposal = proposal.extend({ organization: namedOrganization });

const listedEvent = z.object({
  id: uuid,
  name: z.string(),
  start_time: timestamp,
  end_time: timestamp,
  timezone: z.string(),
  status,
  category: eventCategory,
  ticketing_event_id: z.string().nullable(),
  conference: namedConference,
  host: z.string().nullable(),
  proposal: adminProposal.nullable(),
});

const eventDetails = z.object({
  id: uuid,
  ...outputsOf(eventFields),
  status,
  ticketing_event_id: z.string().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
  conference: namedConference,
  hosts: z.array(namedOrganization.extend({ role: hostRole })),
  proposal: adminProposal.nullable(),
  /** When its host cancelled it. */
  cancelled_at: timestamp.nullable(),
  registrations: count,
  posters: count,
});

const listedOrganization = namedOrganization.extend({
  logo_url: z.string().nullable(),
  created_at: timestamp,
  members: count,
  owners: count,
  keys: count,
  events: count,
});

const organizationDetails = listedOrganization.extend({
  ...outputsOf(organizationFields),
  people: z.array(z.object({ id: uuid, name: z.string(), email: z.string(), role: memberRole })),
});

const personRow = z.object({
  id: uuid,
  name: z.string(),
  email: z.string(),
  platform_admin: z.boolean(),
  unverified: z.boolean(),
  created_at: timestamp,
  last_seen_at: timestamp.nullable(),
  keys: count,
  organizations: z.array(namedOrganization.extend({ role: memberRole })),
});

const platformKey = z.object({
  id: uuid,
  prefix: z.string(),
  name: z.string(),
  tier: z.enum(platformKeyTiers),
  conference_id: uuid.nullable(),
  conference: z.string().nullable(),
  created_at: timestamp,
  created_by: z.string().nullable(),
  expires_at: timestamp.nullable(),
  last_used_at: timestamp.nullable(),
  state: keyState,
  expires_soon: z.boolean(),
});

/** What one kind of problem concerns: the first few, and how many in all. */
const concern = z.object({ count, items: z.array(named) });

const overview = z.object({
  counts: z.object({ conferences: count, events: count, organizations: count, people: count }),
  attention: z.object({
    proposed_events: concern,
    draft_conferences: concern,
    empty_conferences: concern,
    ownerless_organizations: concern,
    expiring_keys: concern,
    unfinished_writes: z.object({ count, days: count }),
  }),
});

export const adminOperations = {
  /** What changes on the platform, live. */
  adminChanges: {},
  /** What there is on the platform, and what needs attention. */
  adminOverview: { response: overview },
  adminConferences: { query: pageQuery.extend(conferenceFilters).extend(inTime), response: listOf(listedConference) },
  adminConference: { params: byId, response: conferenceDetails },
  adminEvents: { query: pageQuery.extend(adminEventFilters).extend(inTime), response: listOf(listedEvent) },
  adminEvent: { params: byId, response: eventDetails },
  adminOrganizations: {
    query: pageQuery.extend(organizationFilters).extend(inNameOrAge),
    response: listOf(listedOrganization),
  },
  /** An organization with its members. */
  adminOrganization: { params: byId, response: organizationDetails },
  adminPeople: { query: pageQuery.extend(personFilters), response: listOf(personRow) },
  /** Open invitations to an organization, or to the platform only. */
  adminInvitations: {
    query: z.object({ organization: uuid.optional() }),
    response: z.object({ items: z.array(openInvitation) }),
  },
  /** Super-admin and conference keys. */
  adminKeys: { query: pageQuery, response: listOf(platformKey) },
  /** Records of all changes, newest first. */
  adminRecords: { query: pageQuery.extend(adminRecordFilters), response: listOf(listedRecord) },
  /** The same as CSV, whole. */
  exportAdminRecords: { query: z.object(adminRecordFilters) },
};

export type ConferenceRow = z.output<typeof listedConference>;
export type ConferenceDetails = z.output<typeof conferenceDetails>;
export type EventRow = z.output<typeof listedEvent>;
export type AdminEventDetails = z.output<typeof eventDetails>;
export type OrganizationRow = z.output<typeof listedOrganization>;
export type OrganizationDetails = z.output<typeof organizationDetails>;
export type PersonRow = z.output<typeof personRow>;
export type PlatformKey = z.output<typeof platformKey>;
export type Overview = z.output<typeof overview>;
