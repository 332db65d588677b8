import { z } from "zod";
import { refuseSecrets } from "../access/misplaced-secrets.js";
import { ServiceError } from "../platform/errors.js";
import { flag, storable } from "../schema/fields.js";
import { describeIssues, issuesOf, maximumIssues } from "../schema/issues.js";
import type { RunnableMutation } from "./mutation.js";
import type { AnyInput, ReadTool } from "./tool.js";

/** The arguments that every mutation takes in addition to its own. */
const commitArguments = {
  dry_run: flag.default(true).meta({ type: "boolean" }),
  confirm: flag.optional().meta({ type: "boolean" }),
  reason: z
    .string()
    .refine((text) => text.trim().length >= 3 && text.length <= 500 && storable(text), {
      error: "expected 3 to 500 characters that say why",
    })
    .optional(),
  idempotency_key: z
    .string()
    .regex(/^[\x20-\x7e]{8,128}$/, { error: "expected 8 to 128 printable ASCII characters" })
    .optional(),
  expected_version: z.string().max(200).optional(),
};

export type Commit = { reason: string; idempotencyKey: string; expectedVersion: string };

export function inputSchemaOf(tool: ReadTool | RunnableMutation): z.ZodObject {
  return z.strictObject(tool.kind === "mutation" ? { ...tool.input.shape, ...commitArguments } : tool.input.shape);
}

export function parseArguments(schema: z.ZodObject, args: unknown): AnyInput {
  refuseSecrets(args);
  const result = schema.safeParse(args ?? {});
  if (result.success) return result.data;
  const issues = issuesOf(result.error);
  throw new ServiceError("invalid_input", describeIssues(issues), {
    details: { issues: issues.slice(0, maximumIssues) },
  });
}

/** Separates the tool's own input from the commit arguments. `commit` is undefined for a preview. */
export function splitArguments(parsed: AnyInput): { input: AnyInput; commit: Commit | undefined } {
  const { dry_run, confirm, reason, idempotency_key, expected_version, ...input } = parsed as AnyInput &
    z.output<z.ZodObject<typeof commitArguments>>;
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
      `To commit, also send ${missing.map((name) => (name === "confirm" ? "confirm: true" : name)).join(", ")}. Call with dry_run: true first: its commit_with contains all of them except reason`,
      { details: { missing } },
    );
  }
  return { input, commit: { reason, idempotencyKey: idempotency_key, expectedVersion: expected_version } };
}
