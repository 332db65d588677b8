import { randomUUID } from "node:crypto";
import { createKey } from "../../src/access/key-store.js";
import type { Database } from "../../src/infra/database/db.js";
import { createInvitation } from "../../src/modules/users/invitation-store.js";
import { makerOn } from "../support/make.js";

export type PlatformFixture = {
  administratorId: string;
  conferenceId: string;
  eventId: string;
  /** A draft that the organization has proposed. */
  proposedEventId: string;
  /** Hosts the event. */
  organizationId: string;
  otherOrganizationId: string;
  /** A member of the organization. */
  personId: string;
  keyId: string;
  invitationId: string;
};

export async function createPlatformFixture(db: Database): Promise<PlatformFixture> {
  const make = makerOn(db);
  const administratorId = await make.platformAdministrator();
  const organizationId = await make.organization("Harbour Works");
  const otherOrganizationId = await make.organization("Far Away");
  const conferenceId = await make.conference({ status: "draft" });
  const eventId = await make.event(conferenceId, { status: "draft", hosts: [organizationId] });
  const proposedEventId = await make.proposal(await make.conference({ status: "draft" }), organizationId);
  const personId = await make.member(organizationId, "member");
  const { id: keyId } = await createKey(db, { tier: "super-admin", name: "Bot", lifetimeDays: null, createdBy: null });
  const { id: invitationId } = await createInvitation(db, "https://svc.test", {
    email: `${randomUUID()}@example.com`,
    inviter: { userId: null, name: "Ada Min" },
    platformAdmin: true,
    organizationId: null,
    role: null,
  });
  return {
    administratorId,
    conferenceId,
    eventId,
    proposedEventId,
    organizationId,
    otherOrganizationId,
    personId,
    keyId,
    invitationId,
  };
}

/** For each tool of platform administrators one valid input that changes something. */
export const platformExamples: Record<string, (fixture: PlatformFixture) => Record<string, unknown>> = {
  create_conference: () => ({ ...conference, slug: `c-${randomUUID()}` }),
  update_conference: ({ conferenceId }) => ({ conference_id: conferenceId, city: "Porto", end_date: "2032-01-02" }),
  set_conference_status: ({ conferenceId }) => ({ conference_id: conferenceId, status: "published" }),
  create_organization: () => ({ name: "Tidewater Labs", slug: `o-${randomUUID()}` }),
  update_organization: ({ organizationId }) => ({ organization_id: organizationId, name: "Harbour and Sons" }),
  create_event: ({ conferenceId, organizationId }) => ({
    conference_id: conferenceId,
    organization_id: organizationId,
    name: "Opening",
    category: "mainline",
    start_time: "2031-05-01T18:00:00.000Z",
    end_time: "2031-05-01T20:00:00.000Z",
    timezone: "Europe/Lisbon",
  }),
  update_event: ({ eventId }) => ({ event_id: eventId, venue: "Small Hall", capacity: 90 }),
  set_event_status: ({ eventId }) => ({ event_id: eventId, status: "published" }),
  return_event_proposal: ({ proposedEventId }) => ({ event_id: proposedEventId, message: "Name the speakers" }),
  set_event_ticketing_link: ({ eventId }) => ({
    event_id: eventId,
    ticketing_event_id: `evt-${randomUUID()}`,
    luma_url: "https://tickets.example/opening",
  }),
  set_event_host: ({ eventId, otherOrganizationId }) => ({ event_id: eventId, organization_id: otherOrganizationId }),
  create_platform_key: ({ conferenceId }) => ({
    tier: "conference",
    name: "Poster bot",
    conference_id: conferenceId,
    expires_in_days: 30,
  }),
  set_platform_key_expiry: ({ keyId }) => ({ key_id: keyId, expires_at: inAWeek }),
  revoke_platform_key: ({ keyId }) => ({ key_id: keyId }),
  invite_person: ({ organizationId }) => ({
    email: `${randomUUID()}@example.com`,
    organization_id: organizationId,
    role: "owner",
  }),
  withdraw_invitation: ({ invitationId }) => ({ invitation_id: invitationId }),
  create_reset_link: ({ personId }) => ({ person_id: personId }),
  set_platform_admin: ({ personId }) => ({ person_id: personId, platform_admin: true }),
  remove_person: ({ personId }) => ({ person_id: personId }),
};

const inAWeek = new Date(Date.now() + 7 * 86_400_000).toISOString();

const conference = {
  name: "Meridian",
  short_name: "Meridian",
  description: "Four days",
  city: "Lisbon",
  timezone: "Europe/Lisbon",
  start_date: "2031-05-01",
  end_date: "2031-05-04",
  category: "mainline",
};
