import { hash } from "node:crypto";
import { canonicalJson } from "../../contract/canonical-json.js";
import { ServiceError } from "../../contract/errors.js";
import type { RunnableMutation } from "./mutation.js";
import type { AnyInput } from "./tool.js";
import type { ReadState, ToolChange } from "./tool-change.js";

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
export function requestVersion<Services>(
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
