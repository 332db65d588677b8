import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { asciiSlug } from "../../../contract/ascii-slug.js";
import { errorTable } from "../../../contract/errors.js";
import { uuid } from "../../../contract/schema/fields.js";
import { pageOf, pageQuery } from "../../../contract/schema/page.js";
import { poster, posterFilters, posterPatch } from "../../../contract/schema/posters.js";
import type { Caller } from "../../access/caller.js";
import { getHostedEvent } from "../../access/hosting.js";
import { requireVisible, requireVisibleIfKnown } from "../../access/visibility.js";
import { type ConsoleRoute, type ContextOf, consoleJson, defineConsoleRoute } from "../../console-route.js";
import type { Queryable } from "../../infra/database/db.js";
import { readTextPage, type TextPage } from "../../infra/database/keyset-page.js";
import { recordedChange, requireRecordBudget } from "../../records/recorded-change.js";
import { defineRoute, pageResponse, type RemovedEndpoint, type RouteContext } from "../../route.js";
import { exampleIds, exampleImageUrl, examplePage } from "../../schema/examples.js";
import { listOutdatedPosters } from "./asset-store.js";
import { posterJob } from "./draft-rules.js";
import { getMaterial } from "./material-store.js";
import { pictureArchive } from "./picture-archive.js";
import type { PosterServices } from "./poster-job.js";
import { markStale, mergePostedUrls, type PosterFacts } from "./rules.js";
import {
  getPoster,
  getPosterFacts,
  lockPoster,
  type PosterFilterValues,
  savePostedUrls,
  selectEventPosters,
  selectPosters,
} from "./store.js";

const posterExample: z.output<typeof poster> = {
  id: exampleIds.poster,
  event_id: exampleIds.event,
  conference_id: exampleIds.conference,
  image_url: exampleImageUrl("209dbba0492680a99496346851ae918a503ef0add47a2e0fd42f47308c6023a5"),
  thumbnail_url: exampleImageUrl("6294ea8bc1da68509379b66f41006d30e03ff24977f5582f3706cc030b034e67"),
  title: "Software That Lasts",
  published: true,
  sort_order: 0,
  metadata: {
    style: "headline",
    format: "portrait",
    width: 1080,
    height: 1350,
    when: "Day 1 · 09:30–10:45",
    where: "Doca Central, Main Hall, Lisbon",
    speakers: [{ name: "Inês Carvalho", title: "Chief Architect", company: "Tidewater Labs", role: "speaker" }],
    caption_ideas: ["Three rewrites, one registry, no lost record: Inês Carvalho opens Meridian."],
    hashtags: ["#MeridianLisbon", "#Keynote"],
    alt_text: "Poster of Tidewater Labs for “Software That Lasts” at Meridian Lisbon.",
    language: "en",
  },
  posted_urls: {
    linkedin: "https://linkedin.example.com/feed/update/1451203838",
    mastodon: "https://social.example.org/statuses/1338496029",
  },
  created_at: "2026-10-23T20:45:00.000Z",
};

/** What an agent reports after it has posted the poster on another platform. */
const posterPatchExample = { posted_urls: { bluesky: "https://bluesky.example.com/post/1022303774" } };

const patchedPosterExample: z.output<typeof poster> = {
  ...posterExample,
  posted_urls: { ...posterExample.posted_urls, ...posterPatchExample.posted_urls },
};

const posterPage = pageOf(poster).meta({ id: "PosterPage" });

export const listPosters = defineRoute({
  operationId: "listPosters",
  tag: "posters",
  method: "GET",
  path: "/api/svc/posters",
  summary: "List posters",
  description:
    "Posters by sort order, then age. With a conference key, `conference_id` defaults to the key's conference. A filter with an id that does not exist gives an empty page.",
  scope: "conferences:read",
  query: pageQuery.extend(posterFilters),
  response: posterPage,
  examples: { query: { published: "true", limit: "1" }, response: examplePage(posterExample) },
  cache: {
    list: "posters",
    // An event that is named as well may be one of another conference, and decides between an empty page and an error.
    conferenceId: ({ query }) => (query.event_id === undefined ? query.conference_id : undefined),
  },
  async handle(context, { query: { cursor, limit, ...named } }) {
    const { db, caller } = context;
    const ownConference = caller.tier === "conference" ? { conference_id: caller.conferenceId } : {};
    const page = await readPosters("posters", context, { cursor, limit }, { ...ownConference, ...named });
    // Rows prove that the caller sees what the request names, so only an empty page is checked.
    if (page.count > 0) return pageResponse(page);
    const known = await Promise.all([
      named.event_id === undefined || requireVisibleIfKnown(db, caller, "event", named.event_id),
      named.conference_id === undefined || requireVisibleIfKnown(db, caller, "conference", named.conference_id),
    ]);
    // What is unknown now may soon be somebody else's, and no change is recorded for this caller then.
    return { ...pageResponse(page), ...(known.includes(false) ? { readAt: null } : {}) };
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
  query: pageQuery.extend({ published: posterFilters.published }),
  response: posterPage,
  examples: { params: { id: exampleIds.event }, response: examplePage(posterExample) },
  errors: { 404: "Event not found" },
  cache: { list: "posters" },
  async handle(context, { params, query: { cursor, limit, ...filters } }) {
    const named = { ...filters, event_id: params.id };
    const page = await readPosters("event posters", context, { cursor, limit }, named);
    if (page.count === 0) await requireVisible(context.db, context.caller, "event", params.id);
    return pageResponse(page);
  },
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
    "Merges `posted_urls` by platform name (RFC 7396): a new platform is added, a known one replaced, null removes one. Names are compared without case and surrounding spaces; the newest spelling is kept. Other fields are ignored. With `If-Match`, only if the poster still has that ETag.",
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
      const poster = { id: params.id, title: current.title };
      return {
        result: await savePostedUrls(tx, params.id, merged, baseUrl),
        record: {
          tool: "patch_poster",
          event_id: current.event_id,
          request: { poster_id: params.id, ...body },
          before: { poster: { ...poster, posted_urls: current.posted_urls } },
          after: { poster: { ...poster, posted_urls: merged } },
        },
        budget,
      };
    };
    const { result } = await recordedChange(db, caller, change, { opensWithReads: true });
    return { body: result };
  },
});

function readPosters(
  list: string,
  { db, caller, baseUrl }: RouteContext & { caller: Caller },
  query: { cursor?: string | undefined; limit: number },
  filters: PosterFilterValues,
): Promise<TextPage> {
  return readTextPage(db, [list, filters], query, (after, limit) =>
    selectPosters(caller, filters, baseUrl, after, limit),
  );
}

type Services = { tools: PosterServices };

export const posterConsoleRoutes: ConsoleRoute<Services>[] = [
  defineConsoleRoute("eventPosters", {
    access: "member",
    async handle({ db, caller, baseUrl }, { params, query }) {
      const { id } = await getHostedEvent(db, caller, params.event);
      const facts = await getPosterFacts(db, id);
      const [page, outdated] = await Promise.all([
        readTextPage(db, ["console posters", id], query, (after, limit) =>
          selectEventPosters(id, baseUrl, after, limit),
        ),
        query.cursor === undefined ? listOutdatedPosters(db, id, facts) : [],
      ]);
      const posters: { drawn_from: PosterFacts | null }[] = JSON.parse(`[${page.items}]`);
      return consoleJson({ items: markStale(posters, facts), next_cursor: page.nextCursor, outdated });
    },
  }),
  defineConsoleRoute("eventPictures", {
    access: "member",
    async handle({ db, caller }, { params }) {
      const { id, name } = await getHostedEvent(db, caller, params.event);
      const filename = `posters-${asciiSlug(name, 60) || "event"}.zip`;
      return { body: pictureArchive(db, id), contentType: "application/zip", filename };
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
