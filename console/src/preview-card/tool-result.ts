import { changesBetween } from "../../../contract/changes.ts";
import type { FieldChange, Json } from "../api/tools.ts";
import { type Difference, describeValue, differencesOf, isRecord, nameOf, wordsOf } from "../format/differences.ts";
import { formatTime } from "../format/times.ts";

/** A result of a tool as the host passes it on. Everything in it is data of others: nothing is taken for granted. */
export type ToolResult = { isError?: unknown; content?: unknown; structuredContent?: unknown };

/** What a change is about, as far as the result says it. */
export type About = { tool?: string; title?: string; event?: string; timezone?: string };

export type Image = { url: string; alt: string };

export type Preview = {
  about: About;
  subjects: Subject[];
  differences: Difference[];
  /** Of how many differences those are the first. */
  differenceCount: number;
  /** What happens to each guest of a batch. */
  verdicts: string[];
  warnings: string[];
  notes: string[];
  images: Image[];
  changesNothing: boolean;
  commitWith: Json;
};

export type Shown =
  | { kind: "preview"; preview: Preview }
  | { kind: "committed"; about: About; recordId?: string; warnings: string[]; notes: string[]; state: Fact[] }
  | { kind: "failed"; code?: string; message: string; preview?: Preview };

export type Fact = { name: string; value: string };

/** More lines than a person reads; the record has all of them. */
const maximumLines = 50;

/** Fields that say nothing to people: what the service keeps for itself, and, of whole rows, what images show. */
const hiddenFields = new Set(["previous_status"]);
const hiddenInRows = new Set([...hiddenFields, "image_url", "thumbnail_url", "alt_text", "created_at"]);

export function readResult({ isError, content, structuredContent }: ToolResult, defaultZone: string): Shown {
  const result = isRecord(structuredContent) ? structuredContent : {};
  const { error } = result;
  if (isError === true || isRecord(error)) {
    const { code, message } = isRecord(error) ? error : {};
    return {
      kind: "failed",
      message: textOf(message) ?? firstText(content) ?? "The tool reported an error.",
      ...optional("code", textOf(code)),
      // A version conflict is a new preview.
      ...(isRecord(result.commit_with) ? { preview: readPreview(result, [], defaultZone) } : {}),
    };
  }
  if (result.dry_run === true) return { kind: "preview", preview: readPreview(result, imagesIn(content), defaultZone) };
  if (result.dry_run === false) return readCommitted(result, defaultZone);
  return { kind: "failed", message: firstText(content) ?? "The result cannot be shown here." };
}

function readPreview(result: Json, images: string[], defaultZone: string): Preview {
  const about = aboutOf(result);
  const [current, proposed] = [stateOf(result.current), stateOf(result.proposed)];
  const zone = zoneOf(about, proposed, defaultZone);
  const judged = listOf(result.verdicts).filter(isRecord);
  const all = changesBetween(current, proposed);
  const changes = all.filter((change) => isShown(change) && !judged.some(({ id }) => change.path.includes(String(id))));
  const shown = changes.slice(0, maximumLines).map((change) => ({ ...change, ...withoutHidden(change) }));
  const subjects = subjectsOf(current);
  const changesNothing = all.length === 0;
  return {
    about,
    subjects,
    differences: differencesOf(shown, current, proposed, zone).map((difference) =>
      withoutSubject(difference, subjects),
    ),
    differenceCount: changes.length,
    verdicts: judged.map(verdictOf),
    warnings: warningsOf(result),
    notes: notesOf(result, zone, changesNothing),
    images: withAlternatives(images, changes),
    changesNothing,
    commitWith: isRecord(result.commit_with) ? result.commit_with : {},
  };
}

function readCommitted(result: Json, defaultZone: string): Shown {
  const about = aboutOf(result);
  const [before, after] = [stateOf(result.before), stateOf(result.after)];
  const zone = zoneOf(about, after, defaultZone);
  const changed = Object.entries(after).filter(([name, value]) => changesBetween(before[name], value).length > 0);
  const inner = changed.flatMap(([name, value]): [string, unknown][] =>
    isRecord(value) ? Object.entries(value) : [[name, value]],
  );
  const state = inner.flatMap(([name, value]) => {
    const isHidden = hiddenInRows.has(name) || name === "id" || name.endsWith("_id");
    const words = isHidden ? null : describeValue(value, zone);
    return words === null ? [] : [{ name: wordsOf(name), value: words }];
  });
  return {
    kind: "committed",
    about,
    ...optional("recordId", textOf(result.record_id)),
    warnings: warningsOf(result),
    notes: notesOf(result, zone, false),
    state: state.slice(0, maximumLines),
  };
}

function aboutOf({ about, event }: Json): About {
  const [{ tool, title }, { name, timezone }] = [stateOf(about), stateOf(event)];
  return {
    ...optional("tool", textOf(tool)),
    ...optional("title", textOf(title)),
    ...optional("event", textOf(name)),
    ...optional("timezone", textOf(timezone)),
  };
}

/** "Ana: pending → approved". */
function verdictOf({ name, from, to }: Json): string {
  const [before, after] = [textOf(from), textOf(to)];
  return `${textOf(name) ?? "Somebody"}: ${before === after ? `${before}, unchanged` : `${before} → ${after}`}`;
}

const stateOf = (value: unknown): Json => (isRecord(value) ? value : {});

/** The zone of the event, or that of the person. */
function zoneOf({ timezone }: About, state: Json, defaultZone: string): string {
  const candidates = [textOf(state.timezone), timezone, defaultZone];
  return candidates.find((zone) => zone !== undefined && isZone(zone)) ?? "UTC";
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }) !== undefined;
  } catch {
    return false;
  }
}

const isShown = ({ path }: FieldChange): boolean => !hiddenFields.has(path.split(".").at(-1) ?? "");

function withoutHidden({ from, to }: FieldChange): Pick<FieldChange, "from" | "to"> {
  const rowOf = (value: unknown) =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => !hiddenInRows.has(name))) : value;
  return { from: rowOf(from), to: rowOf(to) };
}

type Subject = { label: string; name: string };

/** "Speaker › Title" is "Title" below the speaker's name. */
function withoutSubject(difference: Difference, subjects: Subject[]): Difference {
  const prefix = subjects.map(({ label }) => `${label} › `).find((start) => difference.label.startsWith(start));
  return { ...difference, label: difference.label.slice(prefix?.length ?? 0) };
}

/** Who or what is changed: the rows that the state is about, by their names. */
function subjectsOf(current: Json): Subject[] {
  return Object.entries(current).flatMap(([key, row]) => {
    const name = isRecord(row) && "id" in row ? nameOf(row) : undefined;
    if (name === undefined) return [];
    const email = textOf((row as Json).email);
    return [{ label: wordsOf(key), name: email === undefined || email === name ? name : `${name}, ${email}` }];
  });
}

function warningsOf({ warnings }: Json): string[] {
  return listOf(warnings).flatMap((warning) => (isRecord(warning) ? (textOf(warning.message) ?? []) : []));
}

/** What tools add to the states in their results. */
function notesOf(result: Json, zone: string, changesNothing: boolean): string[] {
  const { effect, note, message, missing, reverts, selected, changed } = result;
  const lacking = listOf(missing).flatMap((text) => textOf(text) ?? []);
  const reverted = isRecord(reverts) ? { tool: textOf(reverts.tool), at: textOf(reverts.at) } : {};
  return [
    ...(typeof selected === "number" && typeof changed === "number" ? [`${changed} of ${selected} change.`] : []),
    ...(reverted.tool === undefined || reverted.at === undefined
      ? []
      : [`Undoes “${wordsOf(reverted.tool)}” of ${formatTime(reverted.at, zone)}.`]),
    ...[effect, note, changesNothing ? undefined : message].flatMap((text) => textOf(text) ?? []),
    ...(lacking.length === 0 ? [] : [`Missing: ${lacking.join("; ")}`]),
  ];
}

/** Images as data: URLs; nothing else is ever loaded. */
function imagesIn(content: unknown): string[] {
  return listOf(content).flatMap((block) => {
    if (!isRecord(block) || block.type !== "image") return [];
    const [type, data] = [textOf(block.mimeType) ?? "", textOf(block.data) ?? ""];
    return /^image\/(webp|png|jpeg)$/.test(type) && /^[\w+/=]+$/.test(data) ? [`data:${type};base64,${data}`] : [];
  });
}

function withAlternatives(urls: string[], changes: FieldChange[]): Image[] {
  const alternatives = changes.flatMap(({ to }) => (isRecord(to) ? (textOf(to.alt_text) ?? []) : []));
  return urls.map((url, index) => ({ url, alt: alternatives[index] ?? `Drawing ${index + 1}` }));
}

function firstText(content: unknown): string | undefined {
  return listOf(content).flatMap((block) => (isRecord(block) ? (textOf(block.text) ?? []) : []))[0];
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

const optional = <Name extends string>(name: Name, value: string | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [key in Name]?: string };
