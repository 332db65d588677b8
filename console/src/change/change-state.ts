import { changesBetween } from "../../../contract/changes.ts";
import { type ApiError, isApiError } from "../api/api-error.ts";
import {
  type Committed,
  type FieldChange,
  type Json,
  type Preview,
  recordsOfPage,
  responseIsMissing,
} from "../api/tools.ts";

/** Where a change is between being wanted and done. */
export type ChangeState =
  | { step: "previewing" }
  | { step: "unavailable"; error: unknown }
  | { step: "ready"; preview: Preview; error?: unknown }
  | { step: "committing"; preview: Preview }
  /** No response to the commit: it may have happened. Only the same commit, reason included, can tell. */
  | { step: "unknown"; preview: Preview; error: unknown }
  | { step: "conflict"; preview: Preview; theirs: FieldChange[]; current: Json; isOwn: boolean }
  | { step: "done"; preview: Preview; result: Committed };

export type ChangeAction =
  | { type: "preview" }
  | { type: "previewed"; preview: Preview }
  | { type: "previewFailed"; error: unknown }
  | { type: "commit" }
  | { type: "committed"; result: Committed }
  | { type: "commitFailed"; error: unknown };

export function changeReducer(state: ChangeState, action: ChangeAction): ChangeState {
  switch (action.type) {
    case "preview":
      return { step: "previewing" };
    case "previewed":
      return { step: "ready", preview: action.preview };
    case "previewFailed":
      return { step: "unavailable", error: action.error };
    case "commit":
      return "preview" in state ? { step: "committing", preview: state.preview } : state;
    case "committed":
      return "preview" in state ? { step: "done", preview: state.preview, result: action.result } : state;
    case "commitFailed":
      return "preview" in state ? afterFailure(state.preview, action.error) : state;
  }
}

function afterFailure(preview: Preview, error: unknown): ChangeState {
  if (isApiError(error, "version_conflict")) {
    const current = currentOf(error);
    if (current !== undefined)
      return {
        step: "conflict",
        preview,
        current,
        theirs: changesBetween(preview.current, current),
        isOwn: isOfPage(error),
      };
  }
  if (responseIsMissing(error)) return { step: "unknown", preview, error };
  return { step: "ready", preview, error };
}

function currentOf(error: ApiError): Json | undefined {
  const current = error.details?.current;
  return typeof current === "object" && current !== null ? (current as Json) : undefined;
}

/** Whether the changes that the service names were all made on this page. */
function isOfPage({ details }: ApiError): boolean {
  const since = (details?.changed_since ?? []) as { record_id: string }[];
  return since.length > 0 && since.every(({ record_id }) => recordsOfPage.has(record_id));
}

export const hasNothingToChange = ({ changes }: Preview): boolean => changes.length === 0;

/** The zone of the event that a preview is about. */
export function zoneOf({ proposed, event }: Preview): string | undefined {
  const ofChange = proposed.timezone ?? (proposed.event as Json | null | undefined)?.timezone;
  return typeof ofChange === "string" ? ofChange : event?.timezone;
}
