import { describeOpenApi, describeService, ping } from "./http/service-routes.js";
import { mcpPath } from "./mcp/endpoint.js";
import { listConferences } from "./modules/conferences/routes.js";
import { listConferenceEvents } from "./modules/events/routes.js";
import { addEventCohost } from "./modules/events/tools/add-event-cohost.js";
import { getEventAdminSnapshot } from "./modules/events/tools/get-event-admin-snapshot.js";
import { getEventHostSnapshot } from "./modules/events/tools/get-event-host-snapshot.js";
import { removeEventCohost } from "./modules/events/tools/remove-event-cohost.js";
import { setEventPrimaryHost } from "./modules/events/tools/set-event-primary-host.js";
import { updateEventDetails } from "./modules/events/tools/update-event-details.js";
import { getImage } from "./modules/images/routes.js";
import { getOrganizationAdminSnapshot } from "./modules/organizations/tools/get-organization-admin-snapshot.js";
import { setOrganizationLogoUrls } from "./modules/organizations/tools/set-organization-logo-urls.js";
import { updateOrganizationBranding } from "./modules/organizations/tools/update-organization-branding.js";
import { updateOrganizationProfile } from "./modules/organizations/tools/update-organization-profile.js";
import type { PosterServices } from "./modules/posters/poster-job.js";
import { removedMarketingEndpoints } from "./modules/posters/removed.js";
import { getPosterById, listEventPosters, listPosters, patchPoster } from "./modules/posters/routes.js";
import { generateEventPosterDraft } from "./modules/posters/tools/generate-event-poster-draft.js";
import { getEventAssetWorkspace } from "./modules/posters/tools/get-event-asset-workspace.js";
import { setEventPosterPublication } from "./modules/posters/tools/set-event-poster-publication.js";
import { addEventGuest } from "./modules/registrations/tools/add-event-guest.js";
import { approveEventRegistration } from "./modules/registrations/tools/approve-event-registration.js";
import { batchUpdateEventRegistrations } from "./modules/registrations/tools/batch-update-event-registrations.js";
import { declineEventRegistration } from "./modules/registrations/tools/decline-event-registration.js";
import { getEventRegistrationDetails } from "./modules/registrations/tools/get-event-registration-details.js";
import { listEventRegistrations } from "./modules/registrations/tools/list-event-registrations.js";
import { restoreEventRegistration } from "./modules/registrations/tools/restore-event-registration.js";
import { setEventRegistrationCheckIn } from "./modules/registrations/tools/set-event-registration-check-in.js";
import { waitlistEventRegistration } from "./modules/registrations/tools/waitlist-event-registration.js";
import { createEventSegment } from "./modules/run-of-show/tools/create-event-segment.js";
import { getEventRunOfShow } from "./modules/run-of-show/tools/get-event-run-of-show.js";
import { reorderEventSegments } from "./modules/run-of-show/tools/reorder-event-segments.js";
import { setEventRunOfShowPublication } from "./modules/run-of-show/tools/set-event-run-of-show-publication.js";
import { updateEventSegment } from "./modules/run-of-show/tools/update-event-segment.js";
import { addEventSpeaker } from "./modules/speakers/tools/add-event-speaker.js";
import { removeEventSpeaker } from "./modules/speakers/tools/remove-event-speaker.js";
import { reorderEventSpeakers } from "./modules/speakers/tools/reorder-event-speakers.js";
import { updateEventSpeaker } from "./modules/speakers/tools/update-event-speaker.js";
import type { RemovedEndpoint, Route } from "./route.js";
import { ticketingOperations } from "./ticketing/operations.js";
import type { Tool } from "./tools/mutation.js";

/** The table of contents: every path and every tool of the service. */
export const routes: Route[] = [
  describeService,
  ping,
  listConferences,
  listConferenceEvents,
  listPosters,
  listEventPosters,
  getPosterById,
  patchPoster,
  describeOpenApi,
  getImage,
];

export const removedEndpoints: RemovedEndpoint[] = [...removedMarketingEndpoints];

export { mcpPath, ticketingOperations };

/** What tools reach beside the database, provided by app.ts. */
export type ToolServices = PosterServices;

/** In the order in which tools/list returns them. */
export const tools: Tool<ToolServices>[] = [
  getOrganizationAdminSnapshot,
  updateOrganizationProfile,
  updateOrganizationBranding,
  setOrganizationLogoUrls,
  getEventAdminSnapshot,
  updateEventDetails,
  getEventHostSnapshot,
  addEventCohost,
  removeEventCohost,
  setEventPrimaryHost,
  addEventSpeaker,
  updateEventSpeaker,
  removeEventSpeaker,
  reorderEventSpeakers,
  listEventRegistrations,
  getEventRegistrationDetails,
  addEventGuest,
  approveEventRegistration,
  declineEventRegistration,
  waitlistEventRegistration,
  restoreEventRegistration,
  batchUpdateEventRegistrations,
  setEventRegistrationCheckIn,
  getEventAssetWorkspace,
  generateEventPosterDraft,
  setEventPosterPublication,
  getEventRunOfShow,
  createEventSegment,
  updateEventSegment,
  reorderEventSegments,
  setEventRunOfShowPublication,
];

/** What the API description says about the service as a whole. */
export const about = {
  name: "Event Platform API",
  description: "Conferences, their events and the events' posters, for agents that post them and people who host them.",
  workflow: (baseUrl: string) => [
    `Validate the key: GET ${baseUrl}/api/svc/ping`,
    `List conferences: GET ${baseUrl}/api/svc/conferences`,
    `List events of a conference: GET ${baseUrl}/api/svc/conferences/{id}/events`,
    `List published posters: GET ${baseUrl}/api/svc/posters?published=true`,
    "Download image_url of a poster and post it to social media",
    "Use the poster's metadata for caption context",
    `Report the resulting URLs: PATCH ${baseUrl}/api/svc/posters/{id} with {"posted_urls": {"<platform>": "<url>"}}`,
  ],
};
