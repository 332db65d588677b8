import { conference } from "../../../contract/schema/conferences.js";
import { pageOf, pageQuery } from "../../../contract/schema/page.js";
import { readTextPage } from "../../infra/database/keyset-page.js";
import { defineRoute, pageResponse } from "../../route.js";
import { examplePage } from "../../schema/examples.js";
import { conferenceExample } from "./example.js";
import { selectConferences } from "./store.js";

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
