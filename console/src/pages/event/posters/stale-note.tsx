import type { StalePart } from "../../../../../contract/console/organization.ts";
import { Status } from "../../../ui/badge.tsx";
import { staleNote } from "./poster.ts";

/** That a poster shows something that has changed since it was drawn. */
export function StaleNote({ stale }: { stale: StalePart[] }) {
  return stale.length === 0 ? null : <Status tone="warning">{staleNote(stale)}</Status>;
}
