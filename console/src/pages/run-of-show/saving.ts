import { isApiError } from "../../api/api-error.ts";
import { type Committed, type Json, type Preview, responseIsMissing } from "../../api/tools.ts";
import { type Move, type Segment, storedMove } from "./layout.ts";

/** Several moves that are saved one after the other, because the tool changes one segment at a time. */

export type Row = { segment: Segment; move: Move; state: RowState };
export type RowState =
  | { step: "previewing" }
  /** The service refuses it: it is left out. */
  | { step: "refused"; error: unknown }
  | { step: "ready"; preview: Preview }
  | { step: "saving"; preview: Preview }
  | { step: "saved"; preview: Preview }
  /** The first that failed: saving stopped here. */
  | { step: "failed"; preview: Preview; error: unknown };

export type SaveAction = { type: "row"; id: string; state: RowState } | { type: "again"; ids: readonly string[] };

export function saveReducer(rows: Row[], action: SaveAction): Row[] {
  switch (action.type) {
    case "row":
      return rows.map((row) => (row.segment.id === action.id ? { ...row, state: action.state } : row));
    case "again":
      return rows.map((row) => (action.ids.includes(row.segment.id) ? { ...row, state: { step: "previewing" } } : row));
  }
}

export type SaveStep = "previewing" | "ready" | "saving" | "stopped" | "done" | "impossible";

export function stepOf(rows: readonly Row[]): SaveStep {
  const has = (step: RowState["step"]) => rows.some(({ state }) => state.step === step);
  if (has("saving")) return "saving";
  if (has("previewing")) return "previewing";
  if (has("failed")) return "stopped";
  if (has("ready")) return "ready";
  return has("saved") ? "done" : "impossible";
}

export const updateArgs = (eventId: string, { id }: Segment, { start, minutes }: Move): Json => ({
  event_id: eventId,
  segment_id: id,
  start_time: new Date(start).toISOString(),
  duration_minutes: minutes,
});

const parallelPreviews = 4;

/** Previews a few at a time. */
export async function previewRows(
  rows: readonly Row[],
  preview: (row: Row) => Promise<Preview>,
  report: (id: string, state: RowState) => void,
): Promise<void> {
  const waiting = [...rows];
  const work = async () => {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      try {
        report(row.segment.id, { step: "ready", preview: await preview(row) });
      } catch (error) {
        report(row.segment.id, { step: "refused", error });
      }
    }
  };
  await Promise.all(Array.from({ length: parallelPreviews }, work));
}

/** Where the segment is according to the preview, which is newer than the page. */
export function storedIn({ current }: Preview, segment: Segment): Move {
  return storedMove({ ...segment, ...(current.segment as Partial<Segment> | undefined) });
}

type Commit = (preview: Preview) => Promise<Committed>;

/** Commits in order and stops at the first failure. Returns the ids that were saved by this call. */
export async function saveInOrder(
  rows: readonly Row[],
  commit: Commit,
  report: (id: string, state: RowState) => void,
): Promise<string[]> {
  const saved: string[] = [];
  for (const { segment, state } of rows) {
    if (state.step !== "ready" && state.step !== "failed") continue;
    const { preview } = state;
    if (preview.changes.length > 0) {
      report(segment.id, { step: "saving", preview });
      try {
        await commit(preview);
      } catch (error) {
        report(segment.id, { step: "failed", preview, error });
        break;
      }
    }
    report(segment.id, { step: "saved", preview });
    saved.push(segment.id);
  }
  return saved;
}

/** Only a commit without a response may be repeated as it is; all others start again from a new preview. */
export const mayHaveHappened = (row: Row | undefined): boolean =>
  row?.state.step === "failed" && responseIsMissing(row.state.error);

export const wasChangedMeanwhile = (row: Row | undefined): boolean =>
  row?.state.step === "failed" && isApiError(row.state.error, "version_conflict");
