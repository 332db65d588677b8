import { randomUUID } from "node:crypto";
import { ServiceError } from "../platform/errors.js";
import { hashOfJson } from "./canonical-json.js";
import { type Change, changesBetween } from "./changes.js";
import type { ToolState } from "./mutation.js";
import { withoutImages } from "./result-images.js";
import type { RunContext } from "./tool.js";
import type { ToolChange } from "./tool-change.js";
import type { Warning } from "./warnings.js";

/** What `read` and `beside` returned in one transaction. */
export type ReadState = { current: ToolState; beside: unknown };

export async function readState<Services>(
  context: RunContext,
  { tool, own }: ToolChange<Services>,
  prepared: unknown,
): Promise<ReadState> {
  const [current, beside] = await Promise.all([tool.read(context, own, prepared), tool.beside(context, own, prepared)]);
  return { current, beside };
}

export function previewOf<Services>(
  state: ReadState,
  mutation: ToolChange<Services>,
  prepared: unknown,
): Record<string, unknown> {
  const { tool, input, own } = mutation;
  const { current } = state;
  const { proposed, changes, warnings } = decide(state, mutation, prepared);
  return {
    dry_run: true,
    ...(changes.length === 0 ? { message: nothingToChange } : {}),
    current,
    proposed,
    changes,
    warnings,
    ...tool.report(current, proposed, own, prepared),
    commit_with: {
      ...input,
      dry_run: false,
      confirm: true,
      idempotency_key: randomUUID(),
      expected_version: versionOf(state, mutation),
    },
  };
}

export const nothingToChange = "Nothing to change: this is the current state.";

/** Half of a SHA-256 in hex: collisions are as unlikely as for a uuid, and it is shorter to send. */
const versionLength = 32;

/** Covers the request and what the change depends on, not what is beside it. */
export function versionOf<Services>(
  { current, beside }: ReadState,
  { tool, input, own }: ToolChange<Services>,
): string {
  return hashOfJson({ tool: tool.name, input, basis: tool.basis(current, own, beside) }).slice(0, versionLength);
}

type Decision = { proposed: ToolState; changes: Change[]; warnings: Warning[] };

export function decide<Services>(
  { current, beside }: ReadState,
  { tool, own: input }: ToolChange<Services>,
  prepared: unknown,
): Decision {
  const proposed = tool.propose(current, input, prepared);
  const changes = changesBetween(current, proposed);
  const warnings = changes.length === 0 ? [] : tool.warnings({ current, proposed, input, prepared }, beside);
  return { proposed, changes, warnings };
}

/** A refusal with a complete new preview, or with what makes the change impossible now. */
export function versionConflict<Services>(
  state: ReadState,
  mutation: ToolChange<Services>,
  prepared: unknown,
): ServiceError {
  const expected_version = versionOf(state, mutation);
  const happened =
    "The state has changed since the preview, or the request differs from the previewed one. Nothing was changed.";
  try {
    const { dry_run: _, ...preview } = withoutImages(previewOf(state, mutation, prepared));
    return new ServiceError(
      "version_conflict",
      `${happened} This is a new preview: check its changes, and commit with its commit_with if they are still right`,
      { details: { ...preview, expected_version } },
    );
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const message =
      error.code === "version_conflict"
        ? error.message
        : `${happened} The request is not possible now: ${error.message}`;
    const details = { ...error.details, current: state.current, expected_version };
    return new ServiceError("version_conflict", message, { details });
  }
}
