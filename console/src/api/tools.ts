import { type Change, changesBetween } from "../../../contract/changes.ts";
import type { ToolName, ToolResult } from "../../../contract/console/tool-results.ts";
import type { Warning } from "../../../contract/warnings.ts";
import { ApiError, isTemporary, networkErrorCode } from "./api-error.ts";
import { type CallOptions, call } from "./client.ts";

/** Whose tools: those of an organization, or those of the platform's administrators. */
export type ToolScope = { organization: string } | "platform";

export type Json = Record<string, unknown>;

export type FieldChange = Change;

/** What the service returns, and what differs between both states. */
export type Preview = {
  dry_run: true;
  event?: { id: string; name: string; timezone: string };
  message?: string;
  current: Json;
  proposed: Json;
  changes: FieldChange[];
  warnings: Warning[];
  commit_with: Json;
};

export type Committed<After = Json> = { dry_run: false; before: Json; after: After; record_id?: string } & Json;

/** Runs a tool that reads. */
export const readTool = <Name extends ToolName>(
  organization: string,
  tool: Name,
  args: Json = {},
  options?: CallOptions,
) => run<ToolResult<Name>>({ organization }, tool, args, options);

export async function previewTool(scope: ToolScope, tool: string, args: Json, options?: CallOptions): Promise<Preview> {
  const preview = await run<Omit<Preview, "changes">>(scope, tool, args, options);
  return { ...preview, changes: changesBetween(preview.current, preview.proposed) };
}

const attempts = 3;
/** Before the second attempt; before the third it is twice as long. */
export const pauseMs = 800;

/**
 * Commits what was previewed. When no response arrives, the commit may have happened: it is repeated with the same
 * idempotency key, so that it happens once. `partOf` of the options is the record of the first part of the same change.
 */
export async function commitTool(
  scope: ToolScope,
  tool: string,
  preview: Preview,
  reason: string,
  options?: RunOptions,
): Promise<Committed> {
  const done = await repeatedly(() => run<Committed>(scope, tool, { ...preview.commit_with, reason }, options));
  if (done.record_id !== undefined) recordsOfPage.add(done.record_id);
  return done;
}

/** The records of what was committed on this page. */
export const recordsOfPage = new Set<string>();

/** Sends what may be sent more than once again when no response arrives. */
export async function repeatedly<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      if (attempt === attempts || !responseIsMissing(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs * attempt));
    }
  }
}

/** Sends a commit with all of its arguments. */
export const sendCommit = (scope: ToolScope, tool: string, args: Json, options?: CallOptions) =>
  run<Committed>(scope, tool, args, options);

/** Previews and commits in one go, for changes that need no confirmation, such as a check-in at the door. */
export async function changeAtOnce(
  scope: ToolScope,
  tool: string,
  args: Json,
  reason: string,
  options?: CallOptions,
): Promise<Committed> {
  return commitTool(scope, tool, await previewTool(scope, tool, args, options), reason, options);
}

/** The request may have been carried out, although it failed. */
export function responseIsMissing(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.code === networkErrorCode || (isTemporary(error) && error.status >= 502);
}

type RunOptions = CallOptions & { partOf?: string | undefined };

async function run<Result>(
  scope: ToolScope,
  tool: string,
  args: Json,
  { partOf, ...options }: RunOptions = {},
): Promise<Result> {
  const result =
    scope === "platform"
      ? await call("runAdminTool", { tool, body: args }, options)
      : await call("runTool", { ...scope, tool, body: args, query: { part_of: partOf } }, options);
  return result as Result;
}
