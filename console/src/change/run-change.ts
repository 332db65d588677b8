import { reasonAgainst } from "../../../contract/irreversible.ts";
import { commitTool, type Preview, previewTool, type ToolScope } from "../api/tools.ts";
import type { ChangeRequest } from "./change-request.ts";
import { type ChangeState, changeReducer, hasNothingToChange } from "./change-state.ts";
import { asksForReason, shortReason } from "./reason.ts";

/**
 * Makes a change that nobody has to be asked about. The result is how far it came: a state that is not "done" needs the
 * dialog, which asks, or says what went wrong.
 */
export async function runChange(request: ChangeRequest, scope: ToolScope): Promise<ChangeState> {
  const first: ChangeState = { step: "previewing" };
  if (asksAtOnce(request)) return first;
  const previewed = await previewTool(scope, request.tool, request.args).then(
    (preview) => changeReducer(first, { type: "previewed", preview }),
    (error: unknown) => changeReducer(first, { type: "previewFailed", error }),
  );
  if (previewed.step !== "ready" || asksAfter(request, previewed.preview)) return previewed;
  const committing = changeReducer(previewed, { type: "commit" });
  return commitTool(scope, request.tool, previewed.preview, shortReason(request.reason)).then(
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
