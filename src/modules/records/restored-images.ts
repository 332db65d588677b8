import { ServiceError } from "../../../contract/errors.js";
import { unusedPictureDays } from "../../../contract/pictures.js";
import type { Queryable } from "../../infra/database/db.js";
import { nameOf, type RestorePlan, type RestoreStep } from "../../revert/revert-rules.js";
import { hashInPath, missingImages, renewImages } from "../images/store.js";

type RestoredImage = { path: string; step: RestoreStep; column: string };

/** Refuses a revert that would bring back the address of an image which was removed since. */
export async function requireRestoredImages(tx: Queryable, plan: RestorePlan): Promise<void> {
  const restored = restoredImages(plan);
  if (restored.length === 0) return;
  const [missing] = await missingImages(tx, pathsOf(restored));
  const lost = restored.find(({ path }) => path === missing);
  if (lost === undefined) return;
  const { table } = lost.step.change;
  const picture = lost.column.replace(/_url$/, "").replaceAll("_", " ");
  throw new ServiceError(
    "conflict",
    `Cannot revert, because the ${picture} of the ${table.noun}${nameOf(table, lost.step.earlier ?? {})} was removed since: pictures that nothing shows are kept for ${unusedPictureDays} days. Nothing was reverted. ${insteadOf(lost)}`,
  );
}

/** Keeps the images that a revert brings back from being removed as unused before it is committed. */
export async function renewRestoredImages(tx: Queryable, plan: RestorePlan): Promise<void> {
  const restored = restoredImages(plan);
  if (restored.length > 0) await renewImages(tx, pathsOf(restored));
}

/** Of images that this service stores, whose paths the rows have. */
function restoredImages({ steps }: RestorePlan): RestoredImage[] {
  return steps.flatMap((step) => {
    const { earlier, now, columns, change } = step;
    const written = now === null ? Object.keys(earlier ?? {}) : columns;
    return written.flatMap((column) => {
      const path = earlier?.[column];
      const isImage = change.table.columns?.[column] === "image";
      return isImage && typeof path === "string" && hashInPath(path) !== undefined ? [{ path, step, column }] : [];
    });
  });
}

const pathsOf = (restored: RestoredImage[]): string[] => [...new Set(restored.map(({ path }) => path))];

function insteadOf({ step: { now, change } }: RestoredImage): string {
  const { add, change: edit, picture } = change.table.instead;
  if (now === null) return `Use ${add}`;
  return picture === undefined ? `Upload it again and use ${edit}` : `Use ${picture}`;
}
