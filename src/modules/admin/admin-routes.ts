import type { Sql } from "sql-template-tag";
import {
  type ConsoleResponse,
  type ConsoleRoute,
  consoleJson,
  consolePage,
  defineConsoleRoute,
} from "../../console-route.js";
import type { Database } from "../../infra/database/db.js";
import { type Position, readPage } from "../../infra/database/keyset-page.js";
import { exportRecords } from "../../records/record-export.js";
import { readRecordPage } from "../../records/record-page.js";
import { selectPlatformKeys } from "../api-keys/admin-store.js";
import { getConferenceForAdmins, selectConferencesForAdmins } from "../conferences/admin-store.js";
import { getEventForAdmins, selectEventsForAdmins } from "../events/admin-store.js";
import { getOrganizationForAdmins, selectOrganizations } from "../organizations/admin-store.js";
import { listOpenInvitations } from "../users/invitation-store.js";
import { selectPeople } from "../users/store.js";
import { readOverview } from "./overview-store.js";

const access = "platform_admin";

/** What administrators of the platform read, in any status. */
export const adminRoutes: ConsoleRoute<unknown>[] = [
  defineConsoleRoute("adminOverview", {
    access,
    handle: async ({ db }) => consoleJson(await readOverview(db)),
  }),
  defineConsoleRoute("adminConferences", {
    access,
    handle: ({ db }, { query }) => pageOf(db, "conferences", query, selectConferencesForAdmins),
  }),
  defineConsoleRoute("adminConference", {
    access,
    handle: async ({ db, baseUrl }, { params }) => consoleJson(await getConferenceForAdmins(db, params.id, baseUrl)),
  }),
  defineConsoleRoute("adminEvents", {
    access,
    handle: ({ db }, { query }) => pageOf(db, "events", query, selectEventsForAdmins),
  }),
  defineConsoleRoute("adminEvent", {
    access,
    handle: async ({ db, baseUrl }, { params }) => consoleJson(await getEventForAdmins(db, params.id, baseUrl)),
  }),
  defineConsoleRoute("adminOrganizations", {
    access,
    handle: ({ db, baseUrl }, { query }) =>
      pageOf(db, "organizations", query, (filters, after, limit) =>
        selectOrganizations(filters, baseUrl, after, limit),
      ),
  }),
  defineConsoleRoute("adminOrganization", {
    access,
    handle: async ({ db, baseUrl }, { params }) => consoleJson(await getOrganizationForAdmins(db, params.id, baseUrl)),
  }),
  defineConsoleRoute("adminPeople", {
    access,
    handle: ({ db }, { query }) => pageOf(db, "people", query, selectPeople),
  }),
  defineConsoleRoute("adminInvitations", {
    access,
    handle: async ({ db }, { query }) =>
      consoleJson({ items: await listOpenInvitations(db, query.organization ?? null) }),
  }),
  defineConsoleRoute("adminKeys", {
    access,
    handle: ({ db }, { query }) => pageOf(db, "keys", query, (_, after, limit) => selectPlatformKeys(after, limit)),
  }),
  defineConsoleRoute("adminRecords", {
    access,
    handle: async ({ db }, { query: { cursor, limit, ...filters } }) =>
      consolePage(await readRecordPage(db, { of: "platform", filters, folded: true }, { cursor, limit })),
  }),
  defineConsoleRoute("exportAdminRecords", {
    access,
    handle: ({ db }, { query: filters }) => ({
      body: exportRecords(db, { of: "platform", filters }),
      contentType: "text/csv; charset=utf-8",
      filename: "records.csv",
    }),
  }),
];

type PageQuery = { cursor?: string | undefined; limit: number };

async function pageOf<Query extends PageQuery>(
  db: Database,
  list: string,
  { cursor, limit, ...filters }: Query,
  select: (filters: Omit<Query, keyof PageQuery>, after: Position | null, limit: number) => Sql,
): Promise<ConsoleResponse> {
  return consolePage(
    await readPage(db, [`admin ${list}`, filters], { cursor, limit }, (after, rows) => select(filters, after, rows)),
  );
}
