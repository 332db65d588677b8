import { z } from "zod";
import { type Status, statuses } from "../../../../contract/nouns.js";
import { uuid } from "../../../../contract/schema/fields.js";
import { updateRow } from "../../../infra/database/update-row.js";
import { definePlatformMutation } from "../../../runner/mutation.js";
import { countEventsByStatus, getConference } from "../store.js";

export const setConferenceStatus = definePlatformMutation({
  name: "set_conference_status",
  title: "Set a conference's status",
  description:
    "Publish, approve, archive or hide a conference. A conference that is neither approved nor published hides everything in it.",
  destructive: false,
  input: z.object({ conference_id: uuid, status: z.enum(statuses) }),
  async read({ tx, baseUrl }, { conference_id }): Promise<{ id: string; name: string; status: Status }> {
    const { id, name, status } = await getConference(tx, conference_id, baseUrl);
    return { id, name, status };
  },
  prepare: ({ db }, { conference_id }) => countEventsByStatus(db, conference_id),
  propose: (current, { status }) => ({ ...current, status }),
  store: ({ tx }, { current, proposed: { status } }) => updateRow(tx, "conferences", { id: current.id }, { status }),
  report: ({ prepared: events }) => ({ events_by_status: events }),
});
