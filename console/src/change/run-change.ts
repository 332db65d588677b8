import { changesBetween } from "../../../contract/changes.ts";
import { reasonAgainst } from "../../../contract/irreversible.ts";
import { messageOf } from "../api/api-error.ts";
import { changeAtOnce, commitTool, type Preview, previewTool, type ToolScope } from "../api/tools.ts";
import { showToast } from "../ui/toast-queue.ts";
import type { ChangeRequest, UndoRequest } from "./change-request.ts";
import { type ChangeState, changeReducer, hasNothingToChange } from "./change-state.ts";
import { comparablePaths } from "./comparable-paths.ts";
import { inTurn } from "./in-turn.ts";
import { asksForReason, shortReason } from "./reason.ts";
import { undoReason } from "./undo-words.ts";

/** Makes a change after those that are under way. It sends nothing more once the signal is aborted. */
export const runInTurn = (request: ChangeRequest, scope: ToolScope, signal: AbortSignal): Promise<ChangeState> =>
  inTurn(
    (changed) => runChange(request, scope, signal, changed),
    (state) => (state.step === "done" ? comparablePaths(scope, request.args, state.preview.changes) : []),
  );

/** Takes a change back, and says whether that was possible. */
export async function takeBackInTurn(
  scope: ToolScope,
  { reason, args }: ChangeRequest,
  undo: UndoRequest,
  signal: AbortSignal,
): Promise<void> {
  try {
    await inTurn(
      () => changeAtOnce(scope, undo.tool, undo.args, undoReason(reason), { signal }),
      // What it takes back is a change of the same: the undo may name the record only.
      ({ before, after }) => comparablePaths(scope, args, changesBetween(before, after)),
    );
    if (!signal.aborted) showToast("Undone");
  } catch (error) {
    if (signal.aborted) return;
    showToast(`This could not be undone. ${messageOf(error)}`, { tone: "danger" });
  }
}

/**
 * Makes a change that nobody has to be asked about. The result is how far it came: a state that is not "done" needs the
 * dialog, which asks, or says what went wrong. It asks too where the same was changed while the change waited.
 */
async function runChange(
  request: ChangeRequest,
  scope: ToolScope,
  signal: AbortSignal,
  changedMeanwhile: readonly string[],
): Promise<ChangeState> {
  const first: ChangeState = { step: "previewing" };
  if (asksAtOnce(request)) return first;
  const previewed = await previewTool(scope, request.tool, request.args, { signal }).then(
    (preview) => changeReducer(first, { type: "previewed", preview }),
    (error: unknown) => changeReducer(first, { type: "previewFailed", error }),
  );
  if (previewed.step !== "ready" || asksAfter(request, previewed.preview)) return previewed;
  if (comparablePaths(scope, request.args, previewed.preview.changes).some((path) => changedMeanwhile.includes(path)))
    return previewed;
  const committing = changeReducer(previewed, { type: "commit" });
  return commitTool(scope, request.tool, previewed.preview, shortReason(request.reason), { signal }).then(
    (result) => changeReducer(committing, { type: "committed", result }),
    (error: unknown) => changeReducer(committing, { type: "commitFailed", error }),
  );
}

/** Whether the dialog opens before there is a preview. */
function asksAtOnce({ tool, args, confirms = false, warnings = [], undo }: ChangeRequest): boolean {
  const isFinal = undo === null || (undo === undefined && reasonAgainst(tool) !== undefined);
  return confirms || isFinal || warnings.length > 0 || asksForReason(tool, args);
}

function asksAfter({ tool, args, undo }: ChangeRequest, preview: Preview): boolean {
  const isFinal = typeof undo === "function" && undo(preview) === null;
  return (
    isFinal || hasNothingToChange(preview) || preview.warnings.length > 0 || asksForReason(tool, args, preview.changes)
  );
}
