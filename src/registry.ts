import type { RemovedEndpoint, Route } from "./declare/route.js";
import { listConferences } from "./modules/conferences/routes.js";
import { listConferenceEvents } from "./modules/events/routes.js";
import { getImage } from "./modules/images/routes.js";
import { removedMarketingEndpoints } from "./modules/posters/removed.js";
import { getPosterById, listEventPosters, listPosters, patchPoster } from "./modules/posters/routes.js";
import { describeOpenApi, describeService, ping } from "./modules/service/routes.js";

/** The table of contents: every route of the service. */
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
