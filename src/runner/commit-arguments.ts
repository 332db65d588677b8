import { hash, randomBytes } from "node:crypto";
import { z } from "zod";
import { canonicalJson } from "../../contract/canonical-json.js";
import { ServiceError } from "../../contract/errors.js";
import { isTidy, isVisible } from "../../contract/schema/characters.js";
import { flag, storable, text, uuidExpected } from "../../contract/schema/fields.js";
import { refuseSecrets } from "../access/misplaced-secrets.js";
import { nearNames } from "../infra/near-names.js";
import { describeIssues, type Issue, issuesOf, maximumIssues, unknownField } from "../schema/issues.js";
import { sourceOfIds } from "./known-ids.js";
import type { ReadState, RunnableMutation, ToolChange } from "./mutation.js";
import type { AnyInput, ReadTool } from "./tool.js";

const maximumReason = 500;
const keyExpected = "expected 1 to 128 characters that can be seen, such as a uuid";
const reasonExpected = `expected 1 to ${maximumReason} characters that say why`;

/** The arguments that every mutation takes in addition to its own. */
const commitArguments = {
  dry_run: flag.default(true).meta({ description: "false commits" }),
  confirm: flag.optional(),
  reason: text(maximumReason)
    .refine(isVisible, { error: reasonExpected })
    .optional()
    .meta({ description: "why", pattern: "\\S" }),
  idempotency_key: z
    .string({ error: keyExpected })
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

/** By tool, because what a schema compiles for its first arguments costs more than to parse them. */
const inputSchemas = new WeakMap<ReadTool | RunnableMutation, z.ZodObject>();

/** All arguments of a tool, with those of a commit. */
export function inputSchemaOf(tool: ReadTool | RunnableMutation): z.ZodObject {
  const known = inputSchemas.get(tool);
  if (known !== undefined) return known;
  const { shape } = tool.input;
  const schema = z.strictObject(tool.kind === "mutation" ? { ...shape, ...commitArguments } : shape);
  inputSchemas.set(tool, schema);
  return schema;
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

/**
 * What the `expected_version` of a preview says: what the change depends on, and the request. So a commit that is refused
 * can say whether the state or the request is another one.
 */
export type Version = { state: string; request: string; fields: string };

/** Characters of base64url: collisions of states are as unlikely as those of uuids. */
const [stateLength, requestLength] = [20, 11];

const versionPattern = /^([\w-]{20})\.([\w-]{11})([0-9a-f]*)$/;

export function versionText({ state, request, fields }: Version): string {
  return `${state}.${request}${fields}`;
}

/** Undefined for a text that is not a version. */
export function parseVersion(text: string): Version | undefined {
  const [, state, request, fields] = versionPattern.exec(text) ?? [];
  return state === undefined || request === undefined || fields === undefined ? undefined : { state, request, fields };
}

export function versionOf<Services>(state: ReadState, mutation: ToolChange<Services>, given: AnyInput): Version {
  return { state: stateVersion(state, mutation), ...requestVersion(mutation, given) };
}

/** Covers what the change depends on, not the related rows. */
export function stateVersion<Services>(
  { current, related }: ReadState,
  { tool, own }: Pick<ToolChange<Services>, "tool" | "own">,
): string {
  return hashOf(tool.basis(current, own, related), stateLength);
}

type RequestVersion = Pick<Version, "request" | "fields">;

/** `given` are the arguments as they were sent: what has its default by itself is not one of them. */
function requestVersion<Services>(
  { tool, input }: Pick<ToolChange<Services>, "tool" | "input">,
  given: AnyInput,
): RequestVersion {
  return {
    request: hashOf({ tool: tool.name, input }, requestLength),
    fields: namesOf(tool.input)
      .map((name) => (given[name] === undefined ? absent : digestOf(input[name])))
      .join(""),
  };
}

/** The arguments that are missing or differ from those of the preview, in words; undefined if none do. */
export function requestDifference<Services>(
  version: Version,
  mutation: Pick<ToolChange<Services>, "tool" | "input">,
  given: AnyInput,
): string | undefined {
  const now = requestVersion(mutation, given);
  if (now.request === version.request) return undefined;
  const fields = namesOf(mutation.tool.input).map((name, index) => ({
    name,
    before: digestAt(version.fields, index),
    after: digestAt(now.fields, index),
  }));
  const problems = differences.flatMap(({ one, several, applies }) => {
    const names = fields.filter((field) => field.before !== field.after && applies(field)).map(({ name }) => name);
    return names.length === 0 ? [] : [`${names.join(", ")} ${names.length === 1 ? one : several}`];
  });
  const isComparable = version.fields.length === now.fields.length && problems.length > 0;
  return isComparable ? problems.join("; ") : "expected_version is that of another preview";
}

/** Arguments of the preview that a commit lacks, which may not be valid without them. */
export function missingArguments({ input }: Pick<RunnableMutation, "input">, args: AnyInput): string[] {
  const version = typeof args.expected_version === "string" ? parseVersion(args.expected_version) : undefined;
  if (version?.fields.length !== 2 * namesOf(input).length || String(args.dry_run) !== "false") return [];
  return namesOf(input).filter(
    (name, index) => args[name] === undefined && ![absent, ""].includes(digestAt(version.fields, index)),
  );
}

export function incompleteCommit(difference: string): ServiceError {
  return new ServiceError(
    "incomplete_commit",
    `The arguments are not those of the preview: ${difference}. Nothing was changed. Send the arguments of commit_with unchanged, or preview again`,
  );
}

type Digests = { before: string; after: string };

const differences = [
  { one: "is missing", several: "are missing", applies: ({ after }: Digests) => after === absent },
  { one: "is new", several: "are new", applies: ({ before }: Digests) => before === absent },
  { one: "differs", several: "differ", applies: ({ before, after }: Digests) => before !== absent && after !== absent },
];

/** Two digits for each argument: enough to name those that differ; the hash of the request decides whether any does. */
const absent = "00";

function digestAt(fields: string, index: number): string {
  return fields.slice(2 * index, 2 * index + 2);
}

function digestOf(value: unknown): string {
  if (value === undefined) return absent;
  const [byte = 0] = hash("sha256", canonicalJson(value), "buffer");
  return ((byte % 255) + 1).toString(16).padStart(2, "0");
}

function namesOf({ shape }: { shape: object }): string[] {
  return Object.keys(shape);
}

function hashOf(value: unknown, length: number): string {
  return hash("sha256", canonicalJson(value), "base64url").slice(0, length);
}

/**
 * An idempotency key that says when it was made: a uuid of version 7 (RFC 9562). A preview suggests one, so that a commit
 * with it can be told what has happened since.
 */
export function timedKey(now = Date.now()): string {
  const random = randomBytes(10).toString("hex");
  const time = now.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6, 18)}`;
}

const timedKeyPattern = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Undefined for a key of another kind, or of a time that is still to come. */
export function timeOfKey(key: string, now = Date.now()): number | undefined {
  const [, high, low] = timedKeyPattern.exec(key) ?? [];
  const time = Number.parseInt(`${high}${low}`, 16);
  return time <= now ? time : undefined;
}
