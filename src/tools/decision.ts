import type { CalledEvent } from "../access/hosting.js";
import { ServiceError } from "../platform/errors.js";
import { type EarlierChange, inWords } from "./changed-since.js";
import { changesBetween } from "./changes.js";
import type { ToolState } from "./mutation.js";
import { withoutImages } from "./result-images.js";
import { shownStates } from "./shown-states.js";
import { timedKey } from "./timed-key.js";
import type { AnyInput, RunContext } from "./tool.js";
import type { ReadState, ToolChange } from "./tool-change.js";
import { versionOf, versionText } from "./version.js";
import type { Warning } from "./warnings.js";

export async function readState<Services>(
  context: RunContext,
  { tool, own }: ToolChange<Services>,
  prepared: unknown,
): Promise<ReadState> {
  const [current, beside] = await Promise.all([tool.read(context, own, prepared), tool.beside(context, own, prepared)]);
  return { current, beside };
}

/** What a preview needs beside the state: its event, if it is about one, and the arguments and reason as they were given. */
export type PreviewOptions = {
  prepared: unknown;
  event: CalledEvent | undefined;
  given: AnyInput;
  reason: string | undefined;
};

export function previewOf<Services>(
  state: ReadState,
  mutation: ToolChange<Services>,
  { prepared, event, given, reason }: PreviewOptions,
): Record<string, unknown> {
  const { tool, own } = mutation;
  const { proposed, isChange, warnings } = decide(state, mutation, prepared);
  const [current, after] = shownStates(state.current, proposed);
  const expected_version = versionText(versionOf(state, mutation));
  return {
    dry_run: true,
    ...(event && { event: shownEvent(event) }),
    ...(isChange ? {} : { message: nothingToChange }),
    current,
    proposed: after,
    warnings,
    ...tool.report({ current: state.current, proposed, input: own, prepared }, event),
    expected_version,
    commit_with: {
      ...given,
      dry_run: false,
      confirm: true,
      ...(reason === undefined ? {} : { reason }),
      idempotency_key: timedKey(),
      expected_version,
    },
  };
}

export const nothingToChange = "Nothing to change: this is the current state.";

export function shownEvent({ id, name, timezone }: CalledEvent): Omit<CalledEvent, "isLinked"> {
  return { id, name, timezone };
}

type Decision = { proposed: ToolState; isChange: boolean; warnings: Warning[] };

export function decide<Services>(
  { current, beside }: ReadState,
  { tool, own: input }: ToolChange<Services>,
  prepared: unknown,
): Decision {
  const proposed = tool.propose(current, input, prepared);
  const isChange = changesBetween(current, proposed).length > 0;
  const warnings = isChange ? tool.warnings({ current, proposed, input, prepared }, beside) : [];
  return { proposed, isChange, warnings };
}

/** A refusal with who changed what since the preview, and a complete new preview, or what makes the change impossible now. */
export function versionConflict<Services>(
  state: ReadState,
  mutation: ToolChange<Services>,
  options: PreviewOptions,
  since: EarlierChange[],
): ServiceError {
  const happened = `${since.length === 0 ? "The state has changed since the preview" : since.map(inWords(options.event)).join(". ")}. Nothing was changed.`;
  const changed_since = since.length === 0 ? {} : { changed_since: since };
  try {
    const preview = withoutImages(previewOf(state, mutation, options));
    return new ServiceError(
      "version_conflict",
      `${happened} This is a new preview: if it is still right, commit with its commit_with`,
      { details: { ...preview, ...changed_since } },
    );
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const message =
      error.code === "version_conflict"
        ? error.message
        : `${happened} The request is not possible now: ${error.message}`;
    const [current] = shownStates(state.current, state.current);
    const event = options.event && { event: shownEvent(options.event) };
    const expected_version = versionText(versionOf(state, mutation));
    return new ServiceError("version_conflict", message, {
      details: { ...error.details, ...event, current, expected_version, ...changed_since },
    });
  }
}
