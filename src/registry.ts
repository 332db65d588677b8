import type { RemovedEndpoint, Route } from "./declare/route.js";
import type { ReadTool } from "./declare/tool.js";
import { listConferences } from "./modules/conferences/routes.js";
import { listConferenceEvents } from "./modules/events/routes.js";
import { getImage } from "./modules/images/routes.js";
import { updateOrganizationProfile } from "./modules/organizations/tools/update-organization-profile.js";
import { removedMarketingEndpoints } from "./modules/posters/removed.js";
import { getPosterById, listEventPosters, listPosters, patchPoster } from "./modules/posters/routes.js";
import { describeOpenApi, describeService, ping } from "./modules/service/routes.js";
import type { MutationTool } from "./mutation/define.js";

/** The table of contents: every route and every tool of the service. */
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

/** In the order in which they are listed. */
export const tools: (ReadTool | MutationTool)[] = [updateOrganizationProfile];
