import type { z } from "zod";
import { conference } from "../../../contract/schema/conferences.js";
import { pageOf, pageQuery } from "../../../contract/schema/page.js";
import { readTextPage } from "../../infra/database/keyset-page.js";
import { defineRoute, pageResponse } from "../../route.js";
import { exampleIds, exampleImageUrl, examplePage } from "../../schema/examples.js";
import { selectConferences } from "./store.js";

const conferenceExample: z.output<typeof conference> = {
  id: exampleIds.conference,
  name: "Meridian Developer Conference",
  slug: "meridian-lisbon",
  short_name: "Meridian Lisbon",
  description: "Four days in Lisbon for people who build software that has to last.",
  city: "Lisbon",
  start_date: "2026-12-08",
  end_date: "2026-12-11",
  timezone: "Europe/Lisbon",
  status: "published",
  category: "mainline",
  banner_thumbnail_url: exampleImageUrl("4156b2cea24860bd0b0094b13cd38dcb9fb56cbe3416dbd876fa9097ca3b2531"),
  created_at: "2026-04-15T03:51:31.695Z",
};

export const listConferences = defineRoute({
  operationId: "listConferences",
  tag: "conferences",
  method: "GET",
  path: "/api/svc/conferences",
  summary: "List conferences",
  description:
    "Approved and published conferences by start date. A conference key sees its own; an organization key those where it hosts events.",
  scope: ["conferences:read", "org:read"],
  query: pageQuery,
  response: pageOf(conference).meta({ id: "ConferencePage" }),
  examples: { response: examplePage(conferenceExample) },
  cache: { list: "conferences" },
  async handle({ db, caller, baseUrl }, { query }) {
    const page = await readTextPage(db, ["conferences"], query, (after, limit) =>
      selectConferences(caller, baseUrl, after, limit),
    );
    return pageResponse(page);
  },
});
