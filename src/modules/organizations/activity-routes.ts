import type { recordFilters } from "../../../contract/console/records.js";
import {
  type ConsoleRoute,
  type ContextOf,
  consoleJson,
  consolePage,
  defineConsoleRoute,
} from "../../console-route.js";
import { exportRecords, listedRecord, type RecordView, readRecordPage } from "../../records/record-page.js";
import type { FilterValues } from "../../schema/filters.js";
import { type Revertible, reasonNotToRevert } from "../records/rules.js";
import { listPeople } from "./store.js";

type Member = ContextOf<"member">;

/** Who changed what in an organization and in the events that it hosts. */
export const activityRoutes = (revertible: Revertible): ConsoleRoute<unknown>[] => [
  defineConsoleRoute("activity", {
    access: "member",
    handle: async ({ db, caller }: Member, { query: { cursor, limit, ...given } }) =>
      consolePage(
        await readRecordPage(db, viewOf(caller, given), { cursor, limit }, (record) => ({
          ...listedRecord(record),
          revertible: reasonNotToRevert(record, caller, revertible) === undefined,
        })),
      ),
  }),
  defineConsoleRoute("exportActivity", {
    access: "member",
    handle: ({ db, caller, organization }: Member, { query }) => ({
      body: exportRecords(db, viewOf(caller, query)),
      contentType: "application/x-ndjson",
      filename: `activity-${organization.slug}.jsonl`,
    }),
  }),
  defineConsoleRoute("activityPeople", {
    access: "member",
    handle: async ({ db, organization }: Member) => consoleJson({ items: await listPeople(db, organization.id) }),
  }),
];

function viewOf(caller: Member["caller"], filters: FilterValues<typeof recordFilters>): RecordView {
  return { of: "organization", organizationId: caller.organizationId, filters };
}
