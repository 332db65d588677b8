import { z } from "zod";
import { line } from "../../../contract/schema/fields.js";
import { pageQuery } from "../../../contract/schema/page.js";
import { getHostedEvent } from "../../access/hosting.js";
import {
  type ConsoleRoute,
  type ContextOf,
  consolePage,
  defineConsoleRoute,
  eventParams,
  eventPath,
} from "../../console-route.js";
import { readTextPage } from "../../platform/database/keyset-page.js";
import { posterFormat, posterTemplate } from "./designs.js";
import { posterJob } from "./draft-rules.js";
import { getMaterial } from "./material-store.js";
import type { PosterServices } from "./poster-job.js";
import { markStale, type PosterFacts } from "./rules.js";
import { getPosterFacts, selectPostersAsDrawn } from "./store.js";

type Services = { tools: PosterServices };

export const posterConsoleRoutes: ConsoleRoute<Services>[] = [
  defineConsoleRoute({
    method: "GET",
    path: eventPath("posters"),
    summary: "The posters of an event with captions and links",
    access: "member",
    params: eventParams,
    query: pageQuery,
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
  defineConsoleRoute({
    method: "GET",
    path: eventPath("poster-preview"),
    summary: "What a new poster would look like; nothing is stored",
    access: "admin",
    params: eventParams,
    query: z.object({
      template: posterTemplate,
      format: posterFormat,
      title: line(200).optional(),
      size: z.enum(["thumbnail", "full"]).default("thumbnail"),
    }),
    async handle({ db, caller, baseUrl, services }: ContextOf<"admin", Services>, { params, query }) {
      const { size, ...choice } = query;
      const { id } = await getHostedEvent(db, caller, params.event);
      const job = posterJob(await getMaterial(db, id, baseUrl), choice);
      const drawn = await services.tools.drawPoster(job, caller.organizationId);
      const { bytes, contentType } = size === "full" ? drawn.image : drawn.thumbnail;
      return { body: bytes, contentType };
    },
  }),
];
