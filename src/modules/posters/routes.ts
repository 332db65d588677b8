import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { Caller } from "../../access/caller.js";
import { requireVisible } from "../../access/visibility.js";
import type { Queryable } from "../../platform/database/db.js";
import { readTextPage } from "../../platform/database/keyset-page.js";
import { errorTable } from "../../platform/errors.js";
import { defineRoute, pageResponse, type RouteContext, type RouteResponse } from "../../route.js";
import { exampleIds, examplePage } from "../../schema/examples.js";
import { uuid } from "../../schema/fields.js";
import { filterQuery } from "../../schema/filters.js";
import { pageOf, pageQuery } from "../../schema/page.js";
import { requireRecordBudget } from "../../tools/record-budget.js";
import { recordedChange } from "../../tools/recorded-change.js";
import { patchedPosterExample, posterExample, posterPatchExample } from "./example.js";
import { mergePostedUrls } from "./rules.js";
import { poster, posterPatch } from "./schema.js";
import {
  getPoster,
  lockPoster,
  type PosterFilterValues,
  posterFilters,
  savePostedUrls,
  selectPosters,
} from "./store.js";

export const listPosters = defineRoute({
  operationId: "listPosters",
  tag: "posters",
  method: "GET",
  path: "/api/svc/posters",
  summary: "List posters",
  description:
    "Posters by sort order, then age. With a conference key, `conference_id` defaults to the key's conference.",
  scope: "conferences:read",
  query: pageQuery.extend(filterQuery(posterFilters)),
  response: pageOf(poster),
  examples: { query: { published: "true", limit: "1" }, response: examplePage(posterExample) },
  errors: { 404: "Event not found, or Conference not found, when a filter names an unknown one" },
  cache: {
    list: "posters",
    // An event that is named as well may be one of another conference, and decides between an empty page and an error.
    conferenceId: ({ query }) => (query.event_id === undefined ? query.conference_id : undefined),
  },
  handle: (context, { query: { cursor, limit, ...filters } }) => {
    const { caller } = context;
    const ownConference = caller.tier === "conference" ? { conference_id: caller.conferenceId } : {};
    return postersPage("posters", context, { cursor, limit }, filters, ownConference);
  },
});

export const listEventPosters = defineRoute({
  operationId: "listEventPosters",
  tag: "posters",
  method: "GET",
  path: "/api/svc/events/:id/posters",
  summary: "List posters of an event",
  scope: "conferences:read",
  params: z.object({ id: uuid }),
  query: pageQuery.extend({ published: posterFilters.published.query }),
  response: pageOf(poster),
  examples: { params: { id: exampleIds.event }, response: examplePage(posterExample) },
  errors: { 404: "Event not found" },
  cache: { list: "posters" },
  handle: (context, { params, query: { cursor, limit, ...filters } }) =>
    postersPage("event posters", context, { cursor, limit }, { ...filters, event_id: params.id }),
});

export const getPosterById = defineRoute({
  operationId: "getPoster",
  tag: "posters",
  method: "GET",
  path: "/api/svc/posters/:id",
  summary: "Get one poster with its full metadata",
  scope: "conferences:read",
  params: z.object({ id: uuid }),
  response: poster,
  examples: { params: { id: exampleIds.poster }, response: posterExample },
  errors: { 404: "Poster not found" },
  cache: { list: "posters" },
  async handle({ db, caller, baseUrl }, { params }) {
    const { item, readAt } = await getPoster(db, caller, params.id, baseUrl);
    return { body: item, readAt };
  },
});

export const patchPoster = defineRoute({
  operationId: "reportPostedUrls",
  tag: "posters",
  method: "PATCH",
  path: "/api/svc/posters/:id",
  summary: "Report where a poster was posted",
  description:
    "Merges `posted_urls` by platform name (RFC 7396): a new platform is added, a known one replaced, null removes one. No other field can be changed. With `If-Match`, only if the poster still has that ETag.",
  scope: "events:write",
  role: "admin",
  params: z.object({ id: uuid }),
  body: posterPatch,
  response: poster,
  examples: { params: { id: exampleIds.poster }, body: posterPatchExample, response: patchedPosterExample },
  errors: { 404: "Poster not found", 412: errorTable.precondition_failed.causes.rest },
  async handle({ db, caller, baseUrl, requireMatch }, { params, body }) {
    const change = async (tx: Queryable) => {
      const locking = lockPoster(tx, caller, params.id, baseUrl);
      const budget = requireRecordBudget(tx, caller);
      budget.catch(() => {});
      const current = await locking;
      requireMatch(current.item);
      const merged = mergePostedUrls(current.posted_urls, body.posted_urls);
      if (isDeepStrictEqual(merged, current.posted_urls)) return { result: current.item, record: null };
      return {
        result: await savePostedUrls(tx, params.id, merged, baseUrl),
        record: {
          tool: "patch_poster",
          event_id: current.event_id,
          request: { poster_id: params.id, ...body },
          before: { posted_urls: current.posted_urls },
          after: { posted_urls: merged },
        },
        budget,
      };
    };
    const { result } = await recordedChange(db, caller, change, { opensWithReads: true });
    return { body: result };
  },
});

async function postersPage(
  list: string,
  { db, caller, baseUrl }: RouteContext & { caller: Caller },
  query: { cursor?: string | undefined; limit: number },
  named: PosterFilterValues,
  defaults: PosterFilterValues = {},
): Promise<RouteResponse> {
  const filters = { ...defaults, ...named };
  const page = await readTextPage(db, [list, filters], query, (after, limit) =>
    selectPosters(caller, filters, baseUrl, after, limit),
  );
  // Rows prove that the caller sees what the request names, so only an empty page is checked.
  if (page.count === 0) {
    if (named.event_id !== undefined) await requireVisible(db, caller, "event", named.event_id);
    if (named.conference_id !== undefined) await requireVisible(db, caller, "conference", named.conference_id);
  }
  return pageResponse(page);
}
