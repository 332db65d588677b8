import { z } from "zod";
import { posterFormats, posterTemplates } from "../../../../contract/poster-designs.js";
import { assetWorkspace, posterFormat } from "../../../../contract/schema/posters.js";
import { rowsWithin } from "../../../infra/bounded.js";
import { defineEventRead } from "../../../runner/tool.js";
import { exampleIds } from "../../../schema/examples.js";
import { countPosters, listPosterAssets } from "../asset-store.js";
import { materialGaps, posterJob, templateFor } from "../draft-rules.js";
import { type EventMaterial, getMaterial } from "../material-store.js";
import { formatUses, templateUses } from "../poster-job.js";
import { markStale } from "../rules.js";

export const getEventAssetWorkspace = defineEventRead({
  name: "get_event_asset_workspace",
  title: "Look at an event's posters",
  group: "production",
  description:
    "An event's posters with their state, images and posted links; templates and formats; what a new draft would show and lack. `stale` names what is out of date: redraw_event_posters.",
  scope: "org:read",
  role: "member",
  example: { event_id: exampleIds.event },
  event: "host_or_co_host",
  input: z.object({}),
  output: assetWorkspace,
  async read(context) {
    const { tx, baseUrl } = context;
    const { id } = context.event;
    const [material, { count, facts }, assets] = await Promise.all([
      getMaterial(tx, id, baseUrl),
      countPosters(tx, id),
      listPosterAssets(tx, id, baseUrl, shownPosters),
    ]);
    const posters = rowsWithin(markStale(assets, facts), shownPosterBytes);
    return {
      posters,
      more_posters: count - posters.length,
      templates: posterTemplates.map((name) => ({ name, use: templateUses[name] })),
      formats: posterFormat.options.map((name) => ({ name, ...posterFormats[name], use: formatUses[name] })),
      material: draftMaterial(material),
      missing: materialGaps(material),
    };
  },
});

const shownPosters = 60;
/** A poster that was posted to fifty platforms is long. */
const shownPosterBytes = 45_000;

function draftMaterial(material: EventMaterial) {
  const { title, conference_name, when, where } = posterJob(material, { format: "portrait" });
  const { speakers, organization, co_hosts } = material;
  return {
    title,
    template: templateFor(material),
    conference: conference_name,
    when,
    where,
    organization,
    co_hosts,
    speakers: speakers.map(({ photo_url, ...speaker }) => ({ ...speaker, photo: photo_url !== null })),
  };
}
