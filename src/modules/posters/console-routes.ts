import { getHostedEvent } from "../../access/hosting.js";
import { type ConsoleRoute, type ContextOf, consolePage, defineConsoleRoute } from "../../console-route.js";
import { readTextPage } from "../../infra/database/keyset-page.js";
import { posterJob } from "./draft-rules.js";
import { getMaterial } from "./material-store.js";
import type { PosterServices } from "./poster-job.js";
import { markStale, type PosterFacts } from "./rules.js";
import { getPosterFacts, selectPostersAsDrawn } from "./store.js";

type Services = { tools: PosterServices };

export const posterConsoleRoutes: ConsoleRoute<Services>[] = [
  defineConsoleRoute("eventPosters", {
    access: "member",
    async handle({ db, caller, baseUrl }, { params, query }) {
      const { id } = await getHostedEvent(db, caller, params.event);
      const [page, facts] = await Promise.all([
        readTextPage(db, ["console posters", id], query, (after, limit) =>
          selectPostersAsDrawn(caller, { event_id: id }, baseUrl, after, limit),
        ),
        getPosterFacts(db, id),
      ]);
      const posters: { drawn_from: PosterFacts | null }[] = JSON.parse(`[${page.items}]`);
      return consolePage({ ...page, items: JSON.stringify(markStale(posters, facts)).slice(1, -1) });
    },
  }),
  defineConsoleRoute("posterPreview", {
    access: "admin",
    async handle({ db, caller, baseUrl, services }: ContextOf<"admin", Services>, { params, query }) {
      const { size, opened: _, ...choice } = query;
      const { id } = await getHostedEvent(db, caller, params.event);
      const job = posterJob(await getMaterial(db, id, baseUrl), choice);
      const drawn = await services.tools.drawPoster(job, caller.organizationId);
      const { bytes, contentType } = size === "full" ? drawn.image : drawn.thumbnail;
      return { body: bytes, contentType };
    },
  }),
];
