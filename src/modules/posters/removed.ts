import type { RemovedEndpoint } from "../../route.js";

/** The marketing endpoints of version 4. The poster endpoints replace them. */
const announced = { deprecatedAt: new Date("2026-03-01T00:00:00Z"), removedAt: new Date("2026-06-01T00:00:00Z") };

export const removedMarketingEndpoints: RemovedEndpoint[] = [
  { operationId: "getMarketing", path: "/api/svc/marketing", successor: "/api/svc/posters", ...announced },
  {
    operationId: "getMarketingContent",
    path: "/api/svc/marketing/content",
    successor: "/api/svc/posters",
    ...announced,
  },
  {
    operationId: "getMarketingContentById",
    path: "/api/svc/marketing/content/:id",
    successor: "/api/svc/posters/:id",
    ...announced,
  },
  // What waits to be posted: published posters.
  {
    operationId: "getMarketingQueue",
    path: "/api/svc/marketing/queue",
    successor: "/api/svc/posters?published=true",
    ...announced,
  },
  { operationId: "getMarketingSync", path: "/api/svc/marketing/sync", successor: "/api/svc/posters", ...announced },
  { operationId: "getMarketingPath", path: "/api/svc/marketing/*", successor: "/api/svc/posters", ...announced },
  {
    operationId: "getEventMarketing",
    path: "/api/svc/events/:id/marketing",
    successor: "/api/svc/events/:id/posters",
    ...announced,
  },
];
