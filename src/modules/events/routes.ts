import { z } from "zod";
import { eventFilters, eventSummary } from "../../../contract/schema/events.js";
import { uuid } from "../../../contract/schema/fields.js";
import { pageOf, pageQuery } from "../../../contract/schema/page.js";
import { requireVisible } from "../../access/visibility.js";
import { readTextPage } from "../../infra/database/keyset-page.js";
import { defineRoute, pageResponse } from "../../route.js";
import { exampleIds, examplePage } from "../../schema/examples.js";
import { eventExample } from "./example.js";
import { selectEvents } from "./store.js";

export const listConferenceEvents = defineRoute({
  operationId: "listConferenceEvents",
  tag: "conferences",
  method: "GET",
  path: "/api/svc/conferences/:id/events",
  summary: "List events of a conference",
  description:
    "Approved and published events by start time. An organization key sees only events it hosts or co-hosts.",
  scope: ["conferences:read", "org:read"],
  params: z.object({ id: uuid }),
  query: pageQuery.extend(eventFilters),
  response: pageOf(eventSummary).meta({ id: "EventSummaryPage" }),
  examples: {
    params: { id: exampleIds.conference },
    query: { category: "mainline" },
    response: examplePage(eventExample),
  },
  errors: { 404: "Conference not found" },
  cache: { list: "events", conferenceId: ({ params }) => params.id },
  async handle({ db, caller, baseUrl }, { params, query: { cursor, limit, ...filters } }) {
    const list = { conferenceId: params.id, filters };
    const page = await readTextPage(db, ["events", list], { cursor, limit }, (after, rows) =>
      selectEvents(caller, list, baseUrl, after, rows),
    );
    if (page.count === 0) await requireVisible(db, caller, "conference", params.id);
    return pageResponse(page);
  },
});
