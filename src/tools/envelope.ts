import { z } from "zod";
import { ServiceError } from "../platform/errors.js";
import { flag } from "../schema/fields.js";
import { describeIssues, issuesOf } from "../schema/issues.js";
import type { MutationTool, State } from "./mutation.js";
import type { ReadTool } from "./tool.js";

/** The arguments that every changing tool takes beside its own. */
const envelope = {
  dry_run: flag.default(true).meta({ type: "boolean" }),
  confirm: flag.optional().meta({ type: "boolean" }),
  reason: z
    .string()
    .refine((text) => text.trim().length >= 3 && text.length <= 500 && text.isWellFormed() && !text.includes("\0"), {
      error: "expects 3 to 500 characters that say why",
    })
    .optional(),
  idempotency_key: z
    .string()
    .regex(/^[\x20-\x7e]{8,128}$/, { error: "expects 8 to 128 printable ASCII characters" })
    .optional(),
  expected_version: z.string().max(200).optional(),
};

export type Commit = { reason: string; idempotencyKey: string; expectedVersion: string };

export function inputSchemaOf(tool: ReadTool | MutationTool): z.ZodObject {
  return z.strictObject(tool.kind === "mutation" ? { ...tool.input.shape, ...envelope } : tool.input.shape);
}

export function parseArguments(schema: z.ZodObject, args: unknown): State {
  const result = schema.safeParse(args ?? {});
  if (result.success) return result.data;
  const issues = issuesOf(result.error);
  throw new ServiceError("invalid_input", describeIssues(issues), { details: { issues: issues.slice(0, 20) } });
}

/** Parts the tool's own input from the envelope. `commit` is undefined for a preview. */
export function openEnvelope(parsed: State): { input: State; commit: Commit | undefined } {
  const { dry_run, confirm, reason, idempotency_key, expected_version, ...input } = parsed as State &
    z.output<z.ZodObject<typeof envelope>>;
  if (dry_run) return { input, commit: undefined };
  const missing = [
    ...(confirm === true ? [] : ["confirm"]),
    ...(reason === undefined ? ["reason"] : []),
    ...(idempotency_key === undefined ? ["idempotency_key"] : []),
    ...(expected_version === undefined ? ["expected_version"] : []),
  ];
  if (reason === undefined || idempotency_key === undefined || expected_version === undefined || missing.length > 0) {
    throw new ServiceError(
      "confirmation_required",
      `To commit, also send ${missing.map((name) => (name === "confirm" ? "confirm: true" : name)).join(", ")}. Call with dry_run: true first: its commit_with holds all of them but reason`,
      { details: { missing } },
    );
  }
  return { input, commit: { reason, idempotencyKey: idempotency_key, expectedVersion: expected_version } };
}
