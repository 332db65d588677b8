import { z } from "zod";
import { conferenceInput } from "../../../../contract/schema/conferences.js";
import { slugTaken } from "../../../../contract/schema/fields.js";
import { insertRow } from "../../../infra/database/insert-row.js";
import { definePlatformMutation } from "../../../runner/mutation.js";
import { requireDates } from "../rules.js";
import { type AdministeredConference, findConference } from "../store.js";

export const createConference = definePlatformMutation({
  name: "create_conference",
  title: "Create a conference",
  description: "Add a conference as a draft, which nobody but platform administrators sees until it is published.",
  destructive: false,
  input: z.object({
    ...conferenceInput,
    banner_thumbnail_url: conferenceInput.banner_thumbnail_url.default(null),
  }),
  read: async ({ tx, baseUrl }, { slug }): Promise<Partial<AdministeredConference>> =>
    (await findConference(tx, { slug }, baseUrl)) ?? {},
  propose(current, input) {
    if (current.name !== undefined) throw slugTaken(input.slug, current.name);
    return { ...requireDates(input), status: "draft" as const };
  },
  async store({ tx }, { proposed, input }) {
    if (!(await insertRow(tx, "conferences", proposed))) throw slugTaken(input.slug, "another conference");
  },
});
