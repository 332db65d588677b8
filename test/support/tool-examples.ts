import { randomUUID } from "node:crypto";
import type { Database } from "../../src/infra/database/db.js";
import { addStaff, type EventFixture, type StaffFixture } from "./event-fixture.js";

/** For each mutation tool one valid input that changes something. */
export const exampleInputs: Record<string, (fixture: EventFixture & StaffFixture) => Record<string, unknown>> = {
  update_organization_profile: () => ({ name: `Renamed ${randomUUID().slice(0, 8)}`, website_url: null }),
  update_organization_branding: () => ({ brand_primary_color: "#0a7f5a", brand_secondary_color: null }),
  set_organization_logo_urls: () => ({ logo_url: "https://images.example.com/logo.png" }),
  update_event_details: (fixture) => ({ event_id: fixture.eventId, venue: "Hall 2", capacity: 250 }),
  propose_event: (fixture) => ({
    conference_id: fixture.conferenceId,
    name: "Maintainers' Breakfast",
    start_time: "2031-05-02T08:00:00.000Z",
    end_time: "2031-05-02T09:30:00.000Z",
    capacity: 40,
  }),
  duplicate_event: (fixture) => ({ event_id: fixture.eventId, start_time: "2031-05-02T18:00:00.000Z" }),
  resubmit_event_proposal: (fixture) => ({ event_id: fixture.returnedEventId }),
  cancel_event: (fixture) => ({ event_id: fixture.eventId }),
  add_event_cohost: (fixture) => ({ event_id: fixture.eventId, organization_id: fixture.otherOrganizationId }),
  remove_event_cohost: (fixture) => ({ event_id: fixture.eventId, organization_id: fixture.cohostOrganizationId }),
  set_event_primary_host: (fixture) => ({ event_id: fixture.eventId, organization_id: fixture.cohostOrganizationId }),
  generate_event_poster_draft: (fixture) => ({
    event_id: fixture.eventId,
    template: "headline",
    format: "landscape",
    title: "Signals at Dusk",
    speaker_ids: [fixture.speakerIds[2], fixture.speakerIds[0]],
  }),
  redraw_event_posters: (fixture) => ({ event_id: fixture.eventId, poster_ids: [fixture.drawnPosterId] }),
  add_event_poster: (fixture) => ({
    event_id: fixture.eventId,
    image_url: fixture.imageUrl,
    title: "Signals at Dusk",
    alt_text: "A lighthouse in the evening.",
    hashtags: ["#Dusk"],
  }),
  set_event_poster_publication: (fixture) => ({
    event_id: fixture.eventId,
    poster_id: fixture.posterId,
    published: true,
  }),
  update_event_poster: (fixture) => ({
    event_id: fixture.eventId,
    poster_id: fixture.posterId,
    title: "Signals at Dusk",
    sort_order: 3,
    metadata: { caption_ideas: ["Doors open at 9."], hashtags: ["#Dusk"], language: "pt-BR", palette: null },
  }),
  remove_event_poster: (fixture) => ({ event_id: fixture.eventId, poster_id: fixture.posterId }),
  add_event_speaker: (fixture) => ({
    event_id: fixture.eventId,
    name: "Ada Lovelace",
    links: { web: "https://ada.example" },
  }),
  update_event_speaker: (fixture) => ({
    event_id: fixture.eventId,
    speaker_id: fixture.speakerIds[1],
    title: "Engineer",
  }),
  remove_event_speaker: (fixture) => ({ event_id: fixture.eventId, speaker_id: fixture.speakerIds[0] }),
  reorder_event_speakers: (fixture) => ({ event_id: fixture.eventId, speaker_ids: fixture.speakerIds.toReversed() }),
  add_event_guest: (fixture) => ({ event_id: fixture.eventId, name: "Grace Hopper", email: "grace@example.com" }),
  approve_event_registration: (fixture) => oneRegistration(fixture, "pending"),
  decline_event_registration: (fixture) => oneRegistration(fixture, "approved"),
  waitlist_event_registration: (fixture) => oneRegistration(fixture, "pending"),
  restore_event_registration: (fixture) => oneRegistration(fixture, "declined"),
  batch_update_event_registrations: (fixture) => ({
    event_id: fixture.eventId,
    action: "approve",
    registration_ids: [
      fixture.registrationIds.waitlisted,
      fixture.registrationIds.approved,
      fixture.registrationIds.pending,
    ],
  }),
  set_event_registration_check_in: (fixture) => ({ ...oneRegistration(fixture, "approved"), checked_in: true }),
  create_event_segment: (fixture) => ({
    event_id: fixture.eventId,
    title: "Closing words",
    duration_minutes: 15,
    speaker_ids: [fixture.speakerIds[1]],
    kind: "other",
    location: "Main stage",
    notes: null,
  }),
  update_event_segment: (fixture) => ({
    event_id: fixture.eventId,
    segment_id: fixture.segmentIds[1],
    start_time: "2031-05-01T19:00:00.000Z",
    speaker_ids: [fixture.speakerIds[2], fixture.speakerIds[0]],
  }),
  remove_event_segment: (fixture) => ({
    event_id: fixture.eventId,
    segment_ids: [fixture.segmentIds[0]],
    shift_following: true,
  }),
  reorder_event_segments: (fixture) => ({ event_id: fixture.eventId, segment_ids: fixture.segmentIds.toReversed() }),
  set_event_run_of_show_publication: (fixture) => ({ event_id: fixture.eventId, published: true }),
  revert_change: (fixture) => ({ record_id: fixture.recordId }),
  create_api_key: () => ({ name: "Posting agent", scopes: ["conferences:read", "events:write"], lifetime_days: 30 }),
  rotate_api_key: (fixture) => ({ key_id: fixture.apiKeyId, lifetime_days: 90, keep_old_hours: 0 }),
  revoke_api_key: (fixture) => ({ key_id: fixture.apiKeyId }),
  disconnect_app: (fixture) => ({ app_id: fixture.appId }),
  add_walk_in: (fixture) => ({ event_id: fixture.eventId, name: "Ada Walker", email: "ada@example.com" }),
  create_door_link: (fixture) => ({ event_id: fixture.eventId, name: "Main entrance" }),
  revoke_door_link: (fixture) => ({ event_id: fixture.eventId, door_link_id: fixture.doorLinkId }),
  set_event_poster_links: (fixture) => ({
    event_id: fixture.eventId,
    poster_id: fixture.posterId,
    posted_urls: { LinkedIn: "https://www.linkedin.com/posts/1" },
  }),
  invite_member: () => ({ email: `${randomUUID()}@example.com`, role: "admin" }),
  withdraw_invitation: (fixture) => ({ invitation_id: fixture.invitationId }),
  create_reset_link: (fixture) => ({ user_id: fixture.memberId }),
  set_member_role: (fixture) => ({ user_id: fixture.memberId, role: "admin" }),
  remove_member: (fixture) => ({ user_id: fixture.memberId }),
  leave_organization: () => ({}),
};

function oneRegistration(fixture: EventFixture, status: keyof EventFixture["registrationIds"]) {
  return { event_id: fixture.eventId, registration_id: fixture.registrationIds[status] };
}

/** Tools whose examples need what `addStaff` adds; one cannot leave an organization as its only owner. */
const toolsWithStaff = new Set([
  "resubmit_event_proposal",
  "redraw_event_posters",
  "add_event_poster",
  "revert_change",
  "rotate_api_key",
  "revoke_api_key",
  "disconnect_app",
  "revoke_door_link",
  "withdraw_invitation",
  "create_reset_link",
  "set_member_role",
  "remove_member",
  "leave_organization",
]);

export async function exampleInput(
  db: Database,
  fixture: EventFixture,
  tool: string,
): Promise<Record<string, unknown>> {
  const staff = toolsWithStaff.has(tool) ? await addStaff(db, fixture) : undefined;
  return exampleInputs[tool]?.({ ...fixture, ...staff } as EventFixture & StaffFixture) ?? {};
}
