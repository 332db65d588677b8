import { z } from "zod";
import { pageQuery } from "../../../contract/schema/page.js";
import { type ConsoleRoute, consolePage, defineConsoleRoute } from "../../console-route.js";
import { filterQuery } from "../../schema/filters.js";
import { exportRecords, platformRecordFilters, readRecordPage } from "../../tools/record-page.js";

export const recordPlatformRoutes: ConsoleRoute<unknown>[] = [
  defineConsoleRoute({
    method: "GET",
    path: "/api/console/admin/records",
    summary: "Records of all changes, newest first",
    access: "platform_admin",
    query: pageQuery.extend(filterQuery(platformRecordFilters)),
    handle: async ({ db }, { query: { cursor, limit, ...filters } }) =>
      consolePage(await readRecordPage(db, { of: "platform", filters }, { cursor, limit })),
  }),
  defineConsoleRoute({
    method: "GET",
    path: "/api/console/admin/records/export",
    summary: "Records of all changes as lines of JSON",
    access: "platform_admin",
    query: z.object(filterQuery(platformRecordFilters)),
    handle: ({ db }, { query: filters }) => ({
      body: exportRecords(db, { of: "platform", filters }),
      contentType: "application/x-ndjson; charset=utf-8",
      filename: "records.jsonl",
    }),
  }),
];
