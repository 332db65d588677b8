import { z } from "zod";
import { changedFields } from "../../../../contract/changes.js";
import { ServiceError } from "../../../../contract/errors.js";
import { conferenceInput } from "../../../../contract/schema/conferences.js";
import { uuid } from "../../../../contract/schema/fields.js";
import { changesOf } from "../../../../contract/schema/noun.js";
import { updateRow } from "../../../infra/database/update-row.js";
import { definePlatformMutation } from "../../../runner/mutation.js";
import { requireDates } from "../rules.js";
import { type AdministeredConference, getConference } from "../store.js";

/** The slug stays: imports and command lines refer to a conference by it. */
const { slug: _, ...changeable } = conferenceInput;

export const updateConference = definePlatformMutation({
  name: "update_conference",
  title: "Update a conference",
  description: "Change what describes a conference. Send only what changes.",
  destructive: true,
  input: z.object({ conference_id: uuid, ...changesOf(changeable) }),
  read: ({ tx, baseUrl }, { conference_id }): Promise<AdministeredConference> =>
    getConference(tx, conference_id, baseUrl),
  propose(current, { conference_id: _, ...changes }) {
    if (Object.keys(changes).length === 0) {
      throw new ServiceError("invalid_input", "Send at least one field to change, such as name or city");
    }
    return requireDates({ ...current, ...changes });
  },
  store: ({ tx }, { current, proposed }) =>
    updateRow(tx, "conferences", { id: current.id }, changedFields(current, proposed)),
});
