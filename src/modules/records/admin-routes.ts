import { type ConsoleRoute, consolePage, defineConsoleRoute } from "../../console-route.js";
import { exportRecords, readRecordPage } from "../../records/record-page.js";

export const recordPlatformRoutes: ConsoleRoute<unknown>[] = [
  defineConsoleRoute("platformRecords", {
    access: "platform_admin",
    handle: async ({ db }, { query: { cursor, limit, ...filters } }) =>
      consolePage(await readRecordPage(db, { of: "platform", filters }, { cursor, limit })),
  }),
  defineConsoleRoute("exportPlatformRecords", {
    access: "platform_admin",
    handle: ({ db }, { query: filters }) => ({
      body: exportRecords(db, { of: "platform", filters }),
      contentType: "application/x-ndjson; charset=utf-8",
      filename: "records.jsonl",
    }),
  }),
];
