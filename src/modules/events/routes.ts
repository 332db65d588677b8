import { z } from "zod";
import { requireVisible } from "../../access/visibility.js";
import { readPage } from "../../platform/keyset-page.js";
import { defineRoute, pageResponse } from "../../route.js";
import { uuid } from "../../schema/fields.js";
import { pageOf, pageQuery } from "../../schema/page.js";
import { eventCategory, eventSummary } from "./schema.js";
import { selectEvents } from "./store.js";

export const listConferenceEvents = defineRoute({
  method: "GET",
  path: "/api/svc/conferences/:id/events",
  summary: "Events of a conference",
  description:
    "Approved and published events by start time. An organization key sees only events it hosts or co-hosts.",
  scope: "conferences:read",
  params: z.object({ id: uuid }),
  query: pageQuery.extend({ category: eventCategory.optional() }),
  response: pageOf(eventSummary),
  errors: { 404: "Conference not found" },
  async handle({ db, caller, baseUrl }, { params, query }) {
    const filter = { conferenceId: params.id, category: query.category };
    const page = await readPage(db, ["events", filter], query, (after, limit) =>
      selectEvents(caller, filter, baseUrl, after, limit),
    );
    if (page.items.length === 0) await requireVisible(db, caller, "conference", params.id);
    return pageResponse(page);
  },
});
