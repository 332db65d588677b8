import { ServiceError } from "../../../contract/errors.js";
import type { Queryable } from "../../infra/database/db.js";
import type { PrepareContext } from "../../runner/mutation.js";
import { type EventToolContext, resultImages } from "../../runner/tool.js";
import { imagePath, imageStore, requireHostImageQuota } from "../images/store.js";
import type { DraftChoice, DrawnPoster, PosterJob, PosterServices } from "./poster-job.js";

/** What tools that draw posters have in common: they draw before the transaction, show the drawings, and store what was shown. */

/** One poster of a call: what it is drawn from, and how. */
export type PlannedPoster = { id: string; choice: DraftChoice; job: PosterJob };

export type Drawing<Planned = PlannedPoster> = Planned & { drawn: DrawnPoster };

type Preview = { template: string; url: string; expires_at: string };

export type Drawings<Planned = PlannedPoster> = {
  drawings: Drawing<Planned>[];
  previews: Preview[];
  /** The ids of the posters whose pictures the drawings replace. */
  replaced: string[];
  quotaBytes: number;
};

export async function drawPosters<Planned extends PlannedPoster>(
  { db, services, event, caller }: PrepareContext<EventToolContext, PosterServices>,
  planned: Planned[],
  replaced: string[] = [],
): Promise<Drawings<Planned>> {
  const drawings: Drawing<Planned>[] = [];
  // One after another: the organization's share of the drawing is for all of its people.
  for (const poster of planned) {
    drawings.push({ ...poster, drawn: await services.drawPoster(poster.job, caller.organizationId) });
  }
  const quotaBytes = services.imageQuotaBytes;
  // Checked again when the images are stored; here, so that a preview does not promise what its commit refuses.
  await requireHostImageQuota(db, event.id, imagesOf(drawings), quotaBytes, replaced);
  const previews = await Promise.all(
    drawings.map(async ({ choice, job, drawn }) => {
      const preview = { organization_id: caller.organizationId, event_id: event.id, choice };
      return { template: job.template, ...(await services.previewUrl(preview, drawn.image)) };
    }),
  );
  return { drawings, previews, replaced, quotaBytes };
}

/** Stores the images, before the rows that show them. */
export async function storeDrawings(
  tx: Queryable,
  eventId: string,
  { drawings, quotaBytes, replaced }: Drawings,
): Promise<void> {
  const images = imagesOf(drawings);
  await requireHostImageQuota(tx, eventId, images, quotaBytes, replaced);
  await imageStore(tx).save(images);
}

/** Rows store paths, so that they follow PUBLIC_URL; results show addresses. */
export function pathsOf({ image, thumbnail }: DrawnPoster, baseUrl = "") {
  return { image_url: baseUrl + imagePath(image), thumbnail_url: baseUrl + imagePath(thumbnail) };
}

/** What a version covers of the drawings. */
export function hashOf(drawings: Drawing[]): string {
  return drawings.map(({ drawn }) => drawn.image.hash.slice(0, 16)).join(" ");
}

/** What a preview shows of the drawings. */
export function shownDrawings({ drawings, previews }: Drawings) {
  const images = drawings.map(({ drawn: { miniature } }) => ({ contentType: "image/webp", bytes: miniature }));
  return { previews, [resultImages]: images };
}

/** Pictures that could not be loaded, and why. */
export function missingFrom({ drawings }: Drawings): string[] {
  return [...new Set(drawings.flatMap(({ drawn }) => drawn.missing))];
}

export function changedMeanwhile(current: Record<string, unknown>): ServiceError {
  return new ServiceError(
    "version_conflict",
    "What the poster shows changed while the poster was drawn: preview again with dry_run: true",
    { details: { current } },
  );
}

function imagesOf(drawings: Drawing[]) {
  return drawings.flatMap(({ drawn }) => [drawn.image, drawn.thumbnail]);
}
