import { z } from "zod";
import { ServiceError } from "../../contract/errors.js";
import { isTidy, isVisible } from "../../contract/schema/characters.js";
import { flag, storable, text, uuidExpected } from "../../contract/schema/fields.js";
import { refuseSecrets } from "../access/misplaced-secrets.js";
import { nearNames } from "../infra/near-names.js";
import { describeIssues, type Issue, issuesOf, maximumIssues, unknownField } from "../schema/issues.js";
import { sourceOfIds } from "./known-ids.js";
import type { RunnableMutation } from "./mutation.js";
import type { AnyInput, ReadTool } from "./tool.js";

const maximumReason = 500;
const keyExpected = "expected 1 to 128 characters that can be seen, such as a uuid";
const reasonExpected = `expected 1 to ${maximumReason} characters that say why`;

/** The arguments that every mutation takes in addition to its own. */
const commitArguments = {
  dry_run: flag.default(true).meta({ description: "false commits" }),
  confirm: flag.optional(),
  reason: text(maximumReason)
    .min(1, { error: reasonExpected })
    .refine(isVisible, { error: reasonExpected })
    .optional()
    .meta({ description: "why", pattern: "\\S" }),
  idempotency_key: z
    .string({ error: keyExpected })
    .min(1, { error: keyExpected })
    .max(128, { error: keyExpected })
    .refine((key) => storable(key) && isTidy(key) && isVisible(key), { error: keyExpected })
    .optional()
    .meta({ pattern: "\\S" }),
  expected_version: z.string().optional(),
};

/** Of the arguments of a commit, as JSON in UTF-8. Nearly as much as 1,000 ids, three times. */
export const maximumCommitBytes = 128 * 1024;
/** What a reason adds at most: a UTF-16 unit is up to three bytes in UTF-8. */
export const maximumReasonBytes = ',"reason":""'.length + 3 * maximumReason;
/** Clients that escape all but ASCII send up to three times as much. The rest is for the envelope. */
export const toolBodyLimitBytes = 3 * maximumCommitBytes + 8 * 1024;

export type Commit = { reason: string; idempotencyKey: string; expectedVersion: string };

export function inputSchemaOf(tool: ReadTool | RunnableMutation): z.ZodObject {
  return z.strictObject(tool.kind === "mutation" ? { ...tool.input.shape, ...commitArguments } : tool.input.shape);
}

export function parseArguments(schema: z.ZodObject, args: unknown): AnyInput {
  refuseSecrets(args);
  const result = schema.safeParse(args ?? {}, { reportInput: true });
  if (result.success) return result.data;
  const names = Object.keys(schema.shape);
  const issues = issuesOf(result.error).map((issue) => withAdvice(issue, names));
  const known = issues.some(({ message }) => message === unknownField) ? `. Known fields: ${names.join(", ")}` : "";
  throw new ServiceError("invalid_input", describeIssues(issues) + known, {
    details: { issues: issues.slice(0, maximumIssues) },
  });
}

/** Where the ids of an argument are listed, and which argument may have been meant by an unknown one. */
function withAdvice({ path, message }: Issue, names: string[]): Issue {
  const source = sourceOfIds(path);
  if (source !== undefined && message.endsWith(uuidExpected)) {
    return { path, message: message.replace(uuidExpected, `expected a uuid: use an id from ${source}`) };
  }
  if (message !== unknownField || !/^\w+$/.test(path)) return { path, message };
  const [near] = nearNames(path, names, (name) => name, 1);
  return { path, message: near === undefined ? message : `${unknownField}, did you mean ${near}?` };
}

type CommitArguments = z.output<z.ZodObject<typeof commitArguments>>;

/**
 * Separates the tool's own input from the commit arguments. `commit` is undefined for a preview, which may have a reason.
 * `missing` are arguments of the preview that a commit lacks.
 */
export function splitArguments(
  parsed: AnyInput,
  missing: string[] = [],
): { input: AnyInput; reason: string | undefined; commit: Commit | undefined } {
  const {
    dry_run,
    confirm: _,
    reason,
    idempotency_key,
    expected_version,
    ...input
  } = parsed as AnyInput & CommitArguments;
  if (dry_run) return { input, reason, commit: undefined };
  requireCommitArguments(parsed, missing);
  const commit = { reason, idempotencyKey: idempotency_key, expectedVersion: expected_version } as Commit;
  return { input, reason, commit };
}

/** What a commit lacks is named all at once: with commit arguments, those of its preview that are missing too. */
export function requireCommitArguments(args: AnyInput, missing: string[]): void {
  const lacking = Object.keys(commitArguments).filter((name) =>
    name === "confirm" ? String(args.confirm) !== "true" : args[name] === undefined,
  );
  if (lacking.length === 0) return;
  const all = [...lacking, ...missing];
  throw new ServiceError(
    "confirmation_required",
    `To commit, also send ${all.map((name) => (name === "confirm" ? "confirm: true" : name)).join(", ")}. Call with dry_run: true first: its commit_with contains all of them, except a reason that the preview was not given`,
    { details: { missing: all } },
  );
}
