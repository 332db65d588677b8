import type { Committed } from "../api/tools.ts";
import type { Draft } from "../drafts/use-draft.ts";
import type { ChangeRequest } from "./change-request.ts";
import { useChange } from "./use-change.tsx";

/** Opens the change that a form asks for. Once it is made, the draft is no longer kept. */
export function useSave(draft: Draft, onDone: (result: Committed) => void) {
  const change = useChange();
  return async (request: ChangeRequest): Promise<void> => {
    const result = await change.open(request);
    if (result === undefined) return;
    draft.saved();
    onDone(result);
  };
}
