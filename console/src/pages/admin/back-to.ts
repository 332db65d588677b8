import type { Json, Preview } from "../../api/tools.ts";
import type { UndoRequest } from "../../change/change-request.ts";

/** Undoes a change of fields by setting them to what the preview shows: changes of administrators are not reverted. */
export const backTo =
  (tool: string, row: Json, changed: Json) =>
  ({ current }: Preview): UndoRequest => ({
    tool,
    args: { ...row, ...Object.fromEntries(Object.keys(changed).map((name) => [name, current[name]])) },
  });
