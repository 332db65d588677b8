import { z } from "zod";
import { statuses } from "../../../../contract/nouns.js";
import { uuid } from "../../../../contract/schema/fields.js";
import { updateRow } from "../../../infra/database/update-row.js";
import { definePlatformMutation } from "../../../runner/mutation.js";
import { getReferencedEvent } from "../event-reference.js";

export const setEventStatus = definePlatformMutation({
  name: "set_event_status",
  title: "Set an event's status",
  description:
    "Publish, approve, archive or hide an event with its posters. It is seen only while its conference is approved or published too.",
  destructive: false,
  input: z.object({ event_id: uuid, status: z.enum(statuses) }),
  async read({ tx }, { event_id }) {
    const { id, name, status } = await getReferencedEvent(tx, event_id);
    return { id, name, status };
  },
  propose: (current, { status }) => ({ ...current, status }),
  store: ({ tx }, { proposed: { id, status } }) => updateRow(tx, "events", { id }, { status }),
});
