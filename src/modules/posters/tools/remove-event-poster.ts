import { z } from "zod";
import { ServiceError } from "../../../../contract/errors.js";
import { uuid } from "../../../../contract/schema/fields.js";
import { unknownId } from "../../../runner/known-ids.js";
import { defineEventMutation } from "../../../runner/mutation.js";
import { exampleIds } from "../../../schema/examples.js";
import {
  type EditablePoster,
  findEditablePoster,
  listPosterLines,
  type PosterLine,
  removePoster,
} from "../asset-store.js";

type PosterRemoval = { poster: EditablePoster | null; posters: PosterLine[] };

export const removeEventPoster = defineEventMutation({
  name: "remove_event_poster",
  title: "Remove a poster draft",
  group: "production",
  addition: true,
  description: "Remove a draft that was never posted. Unpublish a published poster first.",
  scope: "events:write",
  role: "admin",
  example: { event_id: exampleIds.event, poster_id: exampleIds.poster },
  event: "host_or_co_host",
  destructive: true,
  input: z.object({ poster_id: uuid }),
  async read({ tx, event, baseUrl }, { poster_id }): Promise<PosterRemoval> {
    const [poster = null, posters] = await Promise.all([
      findEditablePoster(tx, event.id, poster_id, baseUrl),
      listPosterLines(tx, event.id),
    ]);
    return { poster, posters };
  },
  propose({ poster, posters }, { poster_id }) {
    if (poster === null) throw unknownId("poster", poster_id);
    if (poster.published) {
      throw new ServiceError(
        "conflict",
        "This poster is published, and attendees see it: unpublish it with set_event_poster_publication first",
      );
    }
    const platforms = Object.keys(poster.posted_urls ?? {});
    if (platforms.length > 0) {
      throw new ServiceError(
        "conflict",
        `This poster was posted on ${platforms.slice(0, 5).join(", ")}, and those links are kept: it stays as an unpublished poster`,
      );
    }
    return { poster: null, posters: posters.filter(({ id }) => id !== poster_id) };
  },
  basis: ({ poster }) => poster,
  store: ({ tx, event }, { input: { poster_id } }) => removePoster(tx, event.id, poster_id),
});
