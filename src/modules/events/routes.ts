import { z } from "zod";
import { eventFilters, eventSummary } from "../../../contract/schema/events.js";
import { uuid } from "../../../contract/schema/fields.js";
import { pageOf, pageQuery } from "../../../contract/schema/page.js";
import { requireVisible } from "../../access/visibility.js";
import { readTextPage } from "../../infra/database/keyset-page.js";
import { defineRoute, pageResponse } from "../../route.js";
import { exampleIds, exampleImageUrl, examplePage } from "../../schema/examples.js";
import { selectEvents } from "./store.js";

const eventExample: z.output<typeof eventSummary> = {
  id: exampleIds.event,
  name: "Opening Keynote: Software That Lasts",
  start_time: "2026-12-08T09:30:00.000Z",
  end_time: "2026-12-08T10:45:00.000Z",
  timezone: "Europe/Lisbon",
  venue: "Doca Central, Main Hall",
  venue_address: "Rua da Doca Nova 18, 1350-352 Lisboa, Portugal",
  status: "published",
  category: "mainline",
  tier: "headline",
  description: "What do systems that are still useful after twenty years have in common?",
  luma_url: "https://luma.example.com/meridian-lisbon/opening-keynote",
  tile_image_url: exampleImageUrl("6294ea8bc1da68509379b66f41006d30e03ff24977f5582f3706cc030b034e67"),
  conference_id: exampleIds.conference,
  created_at: "2026-08-09T20:45:00.000Z",
};

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
