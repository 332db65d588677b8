import { z } from "zod";
import { changedFields } from "../../../contract/changes.js";
import { fieldError, ServiceError } from "../../../contract/errors.js";
import { type Status, statuses } from "../../../contract/nouns.js";
import { conferenceInput } from "../../../contract/schema/conferences.js";
import { slugTaken, uuid } from "../../../contract/schema/fields.js";
import { changesOf } from "../../../contract/schema/noun.js";
import { insertRow } from "../../infra/database/insert-row.js";
import { updateRow } from "../../infra/database/update-row.js";
import { definePlatformMutation } from "../../runner/mutation.js";
import { requireStoredImages, withImagePaths } from "../images/store.js";
import { type AdministeredConference, countEventsByStatus, findConference, getConference } from "./store.js";

export const createConference = definePlatformMutation({
  name: "create_conference",
  title: "Create a conference",
  description: "Add a conference as a draft, which nobody but platform administrators sees until it is published.",
  destructive: false,
  input: z.object({
    ...conferenceInput,
    banner_thumbnail_url: conferenceInput.banner_thumbnail_url.default(null),
  }),
  async read({ tx, baseUrl }, input): Promise<Partial<AdministeredConference>> {
    const conference = (await findConference(tx, { slug: input.slug }, baseUrl)) ?? {};
    await requireStoredImages(tx, baseUrl, ["banner_thumbnail_url"], conference, input);
    return conference;
  },
  propose(current, input) {
    if (current.name !== undefined) throw slugTaken(input.slug, current.name);
    return { ...requireDates(input), status: "draft" as const };
  },
  async store({ tx, baseUrl }, { proposed, input }) {
    const stored = await withImagePaths(tx, baseUrl, ["banner_thumbnail_url"], proposed);
    if (!(await insertRow(tx, "conferences", stored))) throw slugTaken(input.slug, "another conference");
  },
});

/** The slug stays: imports and command lines refer to a conference by it. */
const { slug: _, ...changeable } = conferenceInput;

export const updateConference = definePlatformMutation({
  name: "update_conference",
  title: "Update a conference",
  description: "Change what describes a conference. Send only what changes.",
  destructive: true,
  input: z.object({ conference_id: uuid, ...changesOf(changeable) }),
  async read({ tx, baseUrl }, { conference_id, ...input }): Promise<AdministeredConference> {
    const conference = await getConference(tx, conference_id, baseUrl);
    await requireStoredImages(tx, baseUrl, ["banner_thumbnail_url"], conference, input);
    return conference;
  },
  propose(current, { conference_id: _, ...changes }) {
    if (Object.keys(changes).length === 0) {
      throw new ServiceError("invalid_input", "Send at least one field to change, such as name or city");
    }
    return requireDates({ ...current, ...changes });
  },
  async store({ tx, baseUrl }, { current, proposed }) {
    const stored = await withImagePaths(tx, baseUrl, ["banner_thumbnail_url"], changedFields(current, proposed));
    await updateRow(tx, "conferences", { id: current.id }, stored);
  },
});

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

/** A conference ends on the day on which it starts, or later. */
function requireDates<Dates extends { start_date: string; end_date: string }>(conference: Dates): Dates {
  const { start_date: start, end_date: end } = conference;
  if (end < start) throw fieldError("end_date", `expected ${start}, the first day, or later, not ${end}`);
  return conference;
}
