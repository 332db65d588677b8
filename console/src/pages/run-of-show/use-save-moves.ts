import { useCallback, useEffect, useEffectEvent, useReducer, useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import { queryClient } from "../../api/query-client.ts";
import { organizationKey } from "../../api/query-keys.ts";
import { commitTool, previewTool } from "../../api/tools.ts";
import { useTool } from "../../change/use-change.tsx";
import { countOf } from "../../format/counts.ts";
import { showToast } from "../../ui/toast-queue.ts";
import type { Move, Segment } from "./layout.ts";
import {
  mayHaveHappened,
  previewRows,
  type Row,
  type RowState,
  saveInOrder,
  saveReducer,
  stepOf,
  storedIn,
  updateArgs,
} from "./saving.ts";

const tool = "update_event_segment";

export type SaveOptions = {
  organizationId: string;
  eventId: string;
  /** As they were when the dialog was opened. */
  changes: { segment: Segment; move: Move }[];
  onSaved: (ids: string[]) => void;
  onClose: () => void;
};

/** Previews all moves, then commits them one after the other with one reason. */
export function useSaveMoves({ organizationId, eventId, changes, onSaved, onClose }: SaveOptions) {
  const [rows, dispatch] = useReducer(saveReducer, changes, (all) =>
    all.map((change): Row => ({ ...change, state: { step: "previewing" } })),
  );
  const [reason, setReason] = useState(() => reasonFor(changes));
  const undo = useUndo(eventId, reason);
  const report = useCallback((id: string, state: RowState) => dispatch({ type: "row", id, state }), []);
  const scope = { organization: organizationId };
  const preview = ({ segment, move }: Row) => previewTool(scope, tool, updateArgs(eventId, segment, move));
  const previewFirst = useEffectEvent(() => void previewRows(rows, preview, report));
  useEffect(() => previewFirst(), []);

  const save = async () => {
    const saved = await saveInOrder(rows, (each) => commitTool(scope, tool, each, reason), report);
    void queryClient.invalidateQueries({ queryKey: organizationKey(organizationId) });
    onSaved(saved);
    const possible = rows.filter(({ state }) => state.step !== "refused");
    const before = rows.filter(({ state }) => state.step === "saved");
    if (before.length + saved.length < possible.length) return;
    onClose();
    const refused = rows.length - possible.length;
    const text = `${countOf(possible.length, "segment")} saved${refused === 0 ? "" : `, ${refused} not possible`}`;
    showToast(text, { action: { label: "Undo", run: () => void undo(rows) } });
  };
  const step = stepOf(rows);
  const failed = rows.find(({ state }) => state.step === "failed");
  const proceed = () => {
    if (step === "ready" || mayHaveHappened(failed)) void save();
    else if (step === "stopped") {
      const rest = rows.filter(({ state }) => state.step !== "saved");
      dispatch({ type: "again", ids: rest.map(({ segment }) => segment.id) });
      void previewRows(rest, preview, report);
    }
  };
  return { rows, step, failed, reason, setReason, proceed };
}

function useUndo(eventId: string, reason: string) {
  const runTool = useTool();
  return async (rows: Row[]) => {
    try {
      for (const { segment, state } of rows.toReversed()) {
        if (!("preview" in state)) continue;
        const args = updateArgs(eventId, segment, storedIn(state.preview, segment));
        await runTool({ tool, args, reason: `Undo: ${reason}`.slice(0, 500) });
      }
      showToast("Undone");
    } catch (error) {
      showToast(`Not everything could be undone. ${messageOf(error)}`, { tone: "danger" });
    }
  };
}

function reasonFor(changes: SaveOptions["changes"]): string {
  const titles = changes.map(({ segment }) => segment.title).join(", ");
  const text = `Move ${countOf(changes.length, "segment")}: ${titles}`;
  return text.length <= 300 ? text : `${text.slice(0, 299)}…`;
}
