import { z } from "zod";
import { posterFormats } from "../../../poster-render/poster-input.js";
import { exampleIds } from "../../../schema/examples.js";
import { rowsWithin } from "../../../tools/bounded.js";
import { defineEventRead } from "../../../tools/tool.js";
import { countPosters, listPosterAssets } from "../asset-store.js";
import { formatUses, templateUses } from "../designs.js";
import { materialGaps, posterJob, templateFor } from "../draft-rules.js";
import { type EventMaterial, getMaterial } from "../material-store.js";

const rows = z.array(z.looseObject({}));

export const getEventAssetWorkspace = defineEventRead({
  name: "get_event_asset_workspace",
  title: "Look at an event's posters",
  group: "production",
  description:
    "An event's posters with state, images and posted links, the available templates and formats, what a new draft would show, and what is missing. Then generate_event_poster_draft or set_event_poster_publication.",
  scope: "org:read",
  role: "member",
  example: { event_id: exampleIds.event },
  event: "host_or_co_host",
  input: z.object({}),
  output: z.object({
    posters: z.array(z.looseObject({ id: z.string(), published: z.boolean(), image_url: z.string() })),
    more_posters: z.number(),
    templates: rows,
    formats: rows,
    material: z.looseObject({ title: z.string(), speakers: rows }),
    missing: z.array(z.string()),
  }),
  async read(context) {
    const { tx, baseUrl } = context;
    const { id } = context.event;
    const material = await getMaterial(tx, id, baseUrl);
    const count = await countPosters(tx, id);
    const posters = rowsWithin(await listPosterAssets(tx, id, baseUrl, shownPosters), shownPosterBytes);
    return {
      posters,
      more_posters: count - posters.length,
      templates: Object.entries(templateUses).map(([name, use]) => ({ name, use })),
      formats: Object.entries(posterFormats).map(([name, size]) => {
        return { name, ...size, use: formatUses[name as keyof typeof formatUses] };
      }),
      material: draftMaterial(material),
      missing: materialGaps(material),
    };
  },
});

const shownPosters = 60;
/** A poster that was posted to fifty platforms is long. */
const shownPosterBytes = 45_000;

function draftMaterial(material: EventMaterial) {
  const { title, conference_name, when, where } = posterJob(material, {
    template: undefined,
    format: "portrait",
    title: undefined,
  });
  const { speakers, organization } = material;
  return {
    title,
    template: templateFor(material),
    conference: conference_name,
    when,
    where,
    organization,
    speakers: speakers.map(({ photo_url, ...speaker }) => ({ ...speaker, photo: photo_url !== null })),
  };
}
