import { randomUUID } from "node:crypto";

/** What a contract test finds in the database: one organization, an event that it hosts, and rows of every kind in it. */
export type World = {
  organizationId: string;
  /** Has nothing to do with the event. */
  otherOrganizationId: string;
  /** Co-hosts the event. */
  cohostOrganizationId: string;
  eventId: string;
  /** In order of their position. */
  speakerIds: [string, string, string];
  registrationIds: { pending: string; approved: string; waitlisted: string; declined: string };
  posterId: string;
  /** In order of their position. */
  segmentIds: [string, string, string];
};

/** One valid input that changes something, for each changing tool. */
export const exampleInputs: Record<string, (world: World) => Record<string, unknown>> = {
  update_organization_profile: () => ({ name: `Renamed ${randomUUID().slice(0, 8)}`, website_url: null }),
  update_organization_branding: () => ({ brand_primary_color: "#0a7f5a", brand_secondary_color: null }),
  set_organization_logo_urls: () => ({ logo_url: "https://images.example.com/logo.png" }),
  update_event_details: (world) => ({ event_id: world.eventId, venue: "Hall 2", capacity: 250 }),
  add_event_cohost: (world) => ({ event_id: world.eventId, organization_id: world.otherOrganizationId }),
  remove_event_cohost: (world) => ({ event_id: world.eventId, organization_id: world.cohostOrganizationId }),
  set_event_primary_host: (world) => ({ event_id: world.eventId, organization_id: world.cohostOrganizationId }),
  generate_event_poster_draft: (world) => ({
    event_id: world.eventId,
    template: "headline",
    format: "landscape",
    title: "Signals at Dusk",
    speaker_ids: [world.speakerIds[2], world.speakerIds[0]],
  }),
  set_event_poster_publication: (world) => ({ event_id: world.eventId, poster_id: world.posterId, published: true }),
  add_event_speaker: (world) => ({
    event_id: world.eventId,
    name: "Ada Lovelace",
    links: { web: "https://ada.example" },
  }),
  update_event_speaker: (world) => ({ event_id: world.eventId, speaker_id: world.speakerIds[1], title: "Engineer" }),
  remove_event_speaker: (world) => ({ event_id: world.eventId, speaker_id: world.speakerIds[0] }),
  reorder_event_speakers: (world) => ({ event_id: world.eventId, speaker_ids: world.speakerIds.toReversed() }),
  add_event_guest: (world) => ({ event_id: world.eventId, name: "Grace Hopper", email: "grace@example.com" }),
  approve_event_registration: (world) => oneRegistration(world, "pending"),
  decline_event_registration: (world) => oneRegistration(world, "approved"),
  waitlist_event_registration: (world) => oneRegistration(world, "pending"),
  restore_event_registration: (world) => oneRegistration(world, "declined"),
  batch_update_event_registrations: (world) => ({
    event_id: world.eventId,
    action: "approve",
    registration_ids: [world.registrationIds.waitlisted, world.registrationIds.approved, world.registrationIds.pending],
  }),
  set_event_registration_check_in: (world) => ({ ...oneRegistration(world, "approved"), checked_in: true }),
  create_event_segment: (world) => ({
    event_id: world.eventId,
    title: "Closing words",
    duration_minutes: 15,
    speaker_ids: [world.speakerIds[1]],
    kind: "other",
    location: "Main stage",
    notes: null,
  }),
  update_event_segment: (world) => ({
    event_id: world.eventId,
    segment_id: world.segmentIds[1],
    start_time: "2031-05-01T19:00:00.000Z",
    speaker_ids: [world.speakerIds[2], world.speakerIds[0]],
  }),
  reorder_event_segments: (world) => ({ event_id: world.eventId, segment_ids: world.segmentIds.toReversed() }),
  set_event_run_of_show_publication: (world) => ({ event_id: world.eventId, published: true }),
};

function oneRegistration(world: World, status: keyof World["registrationIds"]) {
  return { event_id: world.eventId, registration_id: world.registrationIds[status] };
}
