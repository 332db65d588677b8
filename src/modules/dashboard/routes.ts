import { listExpiringKeys } from "../../access/organization-keys.js";
import {
  type ConsoleResponse,
  type ConsoleRoute,
  type ContextOf,
  consoleJson,
  consolePage,
  defineConsoleRoute,
  pageJson,
} from "../../console-route.js";
import { type KeysetPage, readPage } from "../../infra/database/keyset-page.js";
import { stalePartsOf } from "../posters/rules.js";
import { attentionLines } from "./attention-rules.js";
import { listHostedConferences, needyOf, readEvents, readNextEvents } from "./events.js";
import { listLinkPlatforms, selectDashboardLinks, selectDashboardPosters } from "./lists.js";
import { countedAtMost, findPreviousVisit, noteVisit, readFirstSteps, readNews, readReceivedOffers } from "./store.js";

type Member = ContextOf<"member">;
type PageRequest = { cursor?: string | undefined; limit: number };

/** What the dashboard of an organization shows. */
export const dashboardRoutes: ConsoleRoute<unknown>[] = [
  defineConsoleRoute("dashboard", {
    access: "member",
    handle: readDashboard,
  }),
  defineConsoleRoute("noteVisit", {
    access: "member",
    async handle({ db, caller }: Member) {
      await noteVisit(db.changes, caller);
      return {};
    },
  }),
  defineConsoleRoute("events", {
    access: "member",
    handle: async ({ db, caller }: Member, { query: { cursor, limit, ...wanted } }) =>
      consolePage(await readEvents(db, caller, wanted, { cursor, limit })),
  }),
  defineConsoleRoute("conferences", {
    access: "member",
    handle: async ({ db, caller }: Member) => consoleJson({ items: await listHostedConferences(db, caller) }),
  }),
  defineConsoleRoute("posters", {
    access: "member",
    handle: async (context: Member, { query: { cursor, limit, ...filters } }) =>
      consolePage(await posterPage(context, filters, { cursor, limit })),
  }),
  defineConsoleRoute("links", {
    access: "member",
    handle: async (context: Member, { query: { cursor, limit, ...filters } }) =>
      consolePage(await linkPage(context, filters, { cursor, limit })),
  }),
];

const firstPages = { posters: 8, links: 8 };

async function readDashboard(context: Member): Promise<ConsoleResponse> {
  const { db, caller, organization } = context;
  const since = await findPreviousVisit(db, caller);
  const [events, keys, offers, news, steps, posters, links, platforms] = await Promise.all([
    readNextEvents(db, caller),
    listExpiringKeys(db, organization.id),
    readReceivedOffers(db, caller),
    since === null ? null : readNews(db, caller, since),
    readFirstSteps(db, caller),
    posterPage(context, {}, { limit: firstPages.posters }),
    linkPage(context, {}, { limit: firstPages.links }),
    listLinkPlatforms(db, caller),
  ]);
  const read = {
    attention: attentionLines(needyOf(events), keys, offers),
    next: events[0] ?? null,
    first_steps: steps,
    since,
    news: news === null ? null : { ...news, counted_at_most: countedAtMost },
    platforms,
  };
  const lists = Object.entries({ links, posters }).map(([name, page]) => `"${name}":${pageJson(page)}`);
  return { body: `${JSON.stringify(read).slice(0, -1)},${lists.join(",")}}` };
}

async function posterPage(
  { db, caller, baseUrl }: Member,
  filters: Parameters<typeof selectDashboardPosters>[1],
  query: PageRequest,
): Promise<KeysetPage> {
  const page = await readPage(db, ["dashboard posters", filters], query, (after, limit) =>
    selectDashboardPosters(caller, filters, baseUrl, after, limit),
  );
  return { ...page, items: page.items.map(markedStale) };
}

function markedStale(item: string): string {
  const { drawn_from, facts, ...poster } = JSON.parse(item);
  return JSON.stringify({ ...poster, stale: stalePartsOf(drawn_from, facts) });
}

const linkPage = (
  { db, caller, baseUrl }: Member,
  filters: Parameters<typeof selectDashboardLinks>[1],
  query: PageRequest,
) =>
  readPage(db, ["dashboard links", filters], query, (after, limit) =>
    selectDashboardLinks(caller, filters, baseUrl, after, limit),
  );
