import { z } from "zod";
import { fieldError } from "../../../../contract/errors.js";
import { uuid } from "../../../../contract/schema/fields.js";
import { statistics } from "../../../../contract/schema/statistics.js";
import type { LocatedToolContext, ReadTool } from "../../../runner/tool.js";
import { exampleIds } from "../../../schema/examples.js";
import { readConferenceStatistics, readEventStatistics } from "../store.js";

/** Its event is optional: a call names an event or a conference. */
export const getEventStatistics: ReadTool = {
  kind: "read",
  name: "get_event_statistics",
  title: "Count registrations, guests and links",
  group: "event_management",
  description:
    "Numbers of an event, or of the events of a conference that your organization hosts: registrations per day, ticket and source, show-up rate, posted links per network.",
  scope: "org:read",
  role: "member",
  example: { event_id: exampleIds.event },
  addition: true,
  event: "host_or_co_host",
  input: z.object({ event_id: uuid.optional(), conference_id: uuid.optional() }),
  output: statistics,
  read(context, { conference_id: conference }) {
    const { event, tx, caller } = context as LocatedToolContext;
    if ((event === undefined) === (conference === undefined)) {
      throw fieldError("event_id", "send either event_id or conference_id");
    }
    if (event !== undefined) return readEventStatistics(tx, event.id);
    return readConferenceStatistics(tx, caller, String(conference));
  },
};
