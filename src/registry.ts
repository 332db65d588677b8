import { platformNames } from "../contract/platform-names.js";
import { type ChangeRouteServices, changeRoutes } from "./console/change-routes.js";
import { type ToolRouteServices, toolRoutes } from "./console/tool-routes.js";
import type { ConsoleRoute } from "./console-route.js";
import { describeOpenApi, describeService, ping } from "./http/service-routes.js";
import type { Database } from "./infra/database/db.js";
import { mcpPath } from "./mcp/endpoint.js";
import type { Completer } from "./mcp/prompt-list.js";
import { adminRoutes } from "./modules/admin/admin-routes.js";
import { createPlatformKey, revokePlatformKey, setPlatformKeyExpiry } from "./modules/api-keys/admin-tools.js";
import { createApiKey, revokeApiKey, rotateApiKey } from "./modules/api-keys/console-tools.js";
import { createConference, setConferenceStatus, updateConference } from "./modules/conferences/admin-tools.js";
import { listConferences } from "./modules/conferences/routes.js";
import { disconnectApp } from "./modules/connected-apps/console-tools/disconnect-app.js";
import { activityRoutes, pageRoutes } from "./modules/dashboard/page-routes.js";
import { dashboardRoutes } from "./modules/dashboard/routes.js";
import { doorLinkRoutes } from "./modules/door-links/console-routes.js";
import { createDoorLink, revokeDoorLink } from "./modules/door-links/console-tools.js";
import {
  createEvent,
  returnEventProposal,
  setEventHost,
  setEventStatus,
  setEventTicketingLink,
  updateEvent,
} from "./modules/events/admin-tools.js";
import { revertibleEvents, revertibleHosts } from "./modules/events/revertible.js";
import { listConferenceEvents } from "./modules/events/routes.js";
import { cancelEvent } from "./modules/events/tools/cancel-event.js";
import { duplicateEvent } from "./modules/events/tools/duplicate-event.js";
import { addEventCohost, removeEventCohost, setEventPrimaryHost } from "./modules/events/tools/event-hosts.js";
import { getEventAdminSnapshot, getEventHostSnapshot } from "./modules/events/tools/event-snapshots.js";
import { proposeEvent, resubmitEventProposal } from "./modules/events/tools/propose-event.js";
import { updateEventDetails } from "./modules/events/tools/update-event-details.js";
import { type ImageRouteServices, imageRoutes } from "./modules/images/console-routes.js";
import { getImage } from "./modules/images/routes.js";
import { createOrganization, updateOrganization } from "./modules/organizations/admin-tools.js";
import { listEventNames } from "./modules/organizations/search-store.js";
import { revertibleOrganizations } from "./modules/organizations/store.js";
import { getOrganizationAdminSnapshot } from "./modules/organizations/tools/get-organization-admin-snapshot.js";
import {
  setOrganizationLogoUrls,
  updateOrganizationBranding,
  updateOrganizationProfile,
} from "./modules/organizations/tools/update-organization.js";
import { setEventPosterLinks } from "./modules/posters/console-tools/set-event-poster-links.js";
import type { PosterServices } from "./modules/posters/poster-job.js";
import { revertiblePosters } from "./modules/posters/revertible.js";
import {
  getPosterById,
  listEventPosters,
  listPosters,
  patchPoster,
  posterConsoleRoutes,
  removedMarketingEndpoints,
} from "./modules/posters/routes.js";
import { addEventPoster } from "./modules/posters/tools/add-event-poster.js";
import { generateEventPosterDraft } from "./modules/posters/tools/generate-event-poster-draft.js";
import { getEventAssetWorkspace } from "./modules/posters/tools/get-event-asset-workspace.js";
import { redrawEventPosters } from "./modules/posters/tools/redraw-event-posters.js";
import {
  removeEventPoster,
  setEventPosterPublication,
  updateEventPoster,
} from "./modules/posters/tools/stored-posters.js";
import type { Revertible } from "./modules/records/rules.js";
import { listChanges } from "./modules/records/tools/list-changes.js";
import { type RevertServices, revertChange } from "./modules/records/tools/revert-change.js";
import { type GuestRouteServices, guestRoutes } from "./modules/registrations/console-routes.js";
import { revertibleRegistrations } from "./modules/registrations/revertible.js";
import { addEventGuest } from "./modules/registrations/tools/add-event-guest.js";
import { addWalkIn } from "./modules/registrations/tools/add-walk-in.js";
import { batchUpdateEventRegistrations } from "./modules/registrations/tools/batch-update-event-registrations.js";
import { getEventRegistrationDetails } from "./modules/registrations/tools/get-event-registration-details.js";
import { listEventRegistrations } from "./modules/registrations/tools/list-event-registrations.js";
import {
  approveEventRegistration,
  declineEventRegistration,
  restoreEventRegistration,
  setEventRegistrationCheckIn,
  waitlistEventRegistration,
} from "./modules/registrations/tools/registration-transitions.js";
import { type VolunteerServices, volunteerRoutes } from "./modules/registrations/volunteer-routes.js";
import { revertibleSegmentSpeakers, revertibleSegments } from "./modules/run-of-show/revertible.js";
import { createEventSegment } from "./modules/run-of-show/tools/create-event-segment.js";
import { getEventRunOfShow } from "./modules/run-of-show/tools/get-event-run-of-show.js";
import {
  removeEventSegment,
  reorderEventSegments,
  setEventRunOfShowPublication,
} from "./modules/run-of-show/tools/stored-segments.js";
import { updateEventSegment } from "./modules/run-of-show/tools/update-event-segment.js";
import { revertibleSpeakers } from "./modules/speakers/store.js";
import {
  addEventSpeaker,
  removeEventSpeaker,
  reorderEventSpeakers,
  updateEventSpeaker,
} from "./modules/speakers/tools.js";
import { getEventStatistics } from "./modules/statistics/tools/get-event-statistics.js";
import {
  createResetLink as createAnyResetLink,
  invitePerson,
  removePerson,
  setPlatformAdmin,
  withdrawInvitation as withdrawAnyInvitation,
} from "./modules/users/admin-tools.js";
import {
  createResetLink,
  inviteMember,
  leaveOrganization,
  removeMember,
  setMemberRole,
  withdrawInvitation,
} from "./modules/users/console-tools.js";
import type { InvitationServices } from "./modules/users/invitation-store.js";
import { type ConsentServices, consentRoutes } from "./oauth/console-routes.js";
import type { RemovedEndpoint, Route } from "./route.js";
import type { PlatformTool, Tool } from "./runner/mutation.js";
import { accountRoutes, oidcRoutes, signInRoutes } from "./sign-in/console-routes.js";
import type { SignInServices } from "./sign-in/sign-in-services.js";
import { ticketingOperations } from "./ticketing/operations.js";

/** The table of contents: every path and tool of the service. */
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

/** What tools reach besides the database, provided by app.ts. */
export type ToolServices = PosterServices & InvitationServices & RevertServices;

/** What changes of organizations write and reverts restore, parents before their children. */
export const revertibleTables = [
  revertibleOrganizations,
  revertibleEvents,
  revertibleHosts,
  revertibleSpeakers,
  revertibleSegments,
  revertibleSegmentSpeakers,
  revertibleRegistrations,
  revertiblePosters,
];

const revertible: Revertible = { tools: () => [...tools, ...consoleTools], tables: revertibleTables };

/** In the order in which tools/list returns them. */
export const tools: Tool<ToolServices>[] = [
  getOrganizationAdminSnapshot,
  updateOrganizationProfile,
  updateOrganizationBranding,
  setOrganizationLogoUrls,
  listChanges(revertible),
  revertChange(revertible),
  getEventAdminSnapshot,
  getEventStatistics,
  updateEventDetails,
  proposeEvent,
  duplicateEvent,
  resubmitEventProposal,
  cancelEvent,
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
  redrawEventPosters,
  addEventPoster,
  setEventPosterPublication,
  updateEventPoster,
  removeEventPoster,
  getEventRunOfShow,
  createEventSegment,
  updateEventSegment,
  removeEventSegment,
  reorderEventSegments,
  setEventRunOfShowPublication,
];

/** What completes arguments of prompts, by their names. A list of platforms is completed at its end. */
export function promptCompleters(db: Database): Record<string, Completer> {
  return {
    event: ({ organizationId }, value) => listEventNames(db, organizationId, value),
    platforms: async (_caller, value) => {
      const [, before = "", last = ""] = /^(.*,\s*)?(.*)$/s.exec(value) ?? [];
      const found = platformNames.filter((name) => name.toLowerCase().startsWith(last.toLowerCase()));
      return found.map((name) => before + name);
    },
  };
}

/** Changes that only people make, in the console, for their organization: a key cannot make keys or let people in. */
export const consoleTools: Tool<ToolServices>[] = [
  createApiKey,
  rotateApiKey,
  revokeApiKey,
  disconnectApp,
  addWalkIn,
  createDoorLink,
  revokeDoorLink,
  setEventPosterLinks,
  inviteMember,
  withdrawInvitation,
  createResetLink,
  setMemberRole,
  removeMember,
  leaveOrganization,
];

/** Changes that platform administrators make in the console. */
export const platformTools: PlatformTool<ToolServices>[] = [
  createConference,
  updateConference,
  setConferenceStatus,
  createOrganization,
  updateOrganization,
  createEvent,
  updateEvent,
  setEventStatus,
  returnEventProposal,
  setEventTicketingLink,
  setEventHost,
  createPlatformKey,
  setPlatformKeyExpiry,
  revokePlatformKey,
  invitePerson,
  withdrawAnyInvitation,
  createAnyResetLink,
  setPlatformAdmin,
  removePerson,
];

export type ConsoleServices = ToolRouteServices<ToolServices> &
  ChangeRouteServices &
  SignInServices &
  ConsentServices &
  VolunteerServices &
  GuestRouteServices &
  ImageRouteServices;

/** What the pages of the console use. Not part of the public API. */
export const consoleRoutes: ConsoleRoute<ConsoleServices>[] = [
  ...toolRoutes<ToolServices>([...tools, ...consoleTools], platformTools),
  ...changeRoutes,
  ...signInRoutes,
  ...oidcRoutes,
  ...consentRoutes,
  ...accountRoutes,
  ...dashboardRoutes,
  ...pageRoutes,
  ...activityRoutes(revertible),
  ...adminRoutes,
  ...posterConsoleRoutes,
  ...guestRoutes,
  ...doorLinkRoutes,
  ...volunteerRoutes,
  ...imageRoutes,
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
