import { randomUUID } from "node:crypto";
import { z } from "zod";
import { eventFields } from "../../../../contract/schema/events.js";
import { uuid } from "../../../../contract/schema/fields.js";
import { rowInputsOf } from "../../../../contract/schema/noun.js";
import { insertRow } from "../../../infra/database/insert-row.js";
import { definePlatformMutation } from "../../../runner/mutation.js";
import { getConference } from "../../conferences/store.js";
import { getOrganization } from "../../organizations/store.js";
import { saveHosts } from "../host-store.js";
import { requireTimes } from "../rules.js";
import { findEventDetails } from "../store.js";

const { status, tile_image_url: _, ...describing } = rowInputsOf(eventFields);

export const createEvent = definePlatformMutation({
  name: "create_event",
  title: "Create an event",
  description:
    "Add an event to a conference, with the organization that hosts it. It is a draft unless a status is given.",
  destructive: false,
  input: z.object({ conference_id: uuid, organization_id: uuid, ...describing, status: status.default("draft") }),
  // The id of the new event: by what it will be found after it was stored.
  prepare: async () => randomUUID(),
  async read({ tx, baseUrl }, { conference_id, organization_id }, id) {
    const conference = await getConference(tx, conference_id, baseUrl);
    const { name: host } = await getOrganization(tx, organization_id);
    const stored = await findEventDetails(tx, id, baseUrl);
    return { conference: conference.name, host, event: stored === undefined ? {} : { id, ...stored } };
  },
  propose(current, { conference_id: _, organization_id: __, ...event }) {
    return { ...current, event: requireTimes(event) };
  },
  async store({ tx }, { input: { conference_id, organization_id, ...event }, prepared: id }) {
    await insertRow(tx, "events", { id, conference_id, ...event });
    await saveHosts(tx, id, [{ ...(await getOrganization(tx, organization_id)), role: "host" }]);
  },
});
