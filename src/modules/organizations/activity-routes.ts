import { z } from "zod";
import { pageQuery } from "../../../contract/schema/page.js";
import {
  type ConsoleRoute,
  type ContextOf,
  consoleJson,
  consolePage,
  defineConsoleRoute,
  organizationPath,
} from "../../console-route.js";
import { type FilterValues, filterQuery } from "../../schema/filters.js";
import {
  exportRecords,
  listedRecord,
  type RecordView,
  readRecordPage,
  recordFilters,
} from "../../tools/record-page.js";
import { type Revertible, reasonNotToRevert } from "../records/rules.js";
import { listPeople } from "./store.js";

type Member = ContextOf<"member">;

const filters = filterQuery(recordFilters);

/** Who changed what in an organization and in the events that it hosts. */
export const activityRoutes = (revertible: Revertible): ConsoleRoute<unknown>[] => [
  defineConsoleRoute({
    method: "GET",
    path: organizationPath("activity"),
    summary: "Records of changes, newest first",
    access: "member",
    query: pageQuery.extend(filters),
    handle: async ({ db, caller }: Member, { query: { cursor, limit, ...given } }) =>
      consolePage(
        await readRecordPage(db, viewOf(caller, given), { cursor, limit }, (record) => ({
          ...listedRecord(record),
          revertible: reasonNotToRevert(record, caller, revertible) === undefined,
        })),
      ),
  }),
  defineConsoleRoute({
    method: "GET",
    path: organizationPath("activity/export"),
    summary: "Records of changes as lines of JSON, newest first",
    access: "member",
    query: z.object(filters),
    handle: ({ db, caller, organization }: Member, { query }) => ({
      body: exportRecords(db, viewOf(caller, query)),
      contentType: "application/x-ndjson",
      filename: `activity-${organization.slug}.jsonl`,
    }),
  }),
  defineConsoleRoute({
    method: "GET",
    path: organizationPath("activity/people"),
    summary: "Whose changes can be looked for",
    access: "member",
    handle: async ({ db, organization }: Member) => consoleJson({ items: await listPeople(db, organization.id) }),
  }),
];

function viewOf(caller: Member["caller"], filters: FilterValues<typeof recordFilters>): RecordView {
  return { of: "organization", organizationId: caller.organizationId, filters };
}
