import type { Change } from "../tools/changes.js";
import { unchangedBetween } from "../tools/changes.js";

type Json = Record<string, unknown>;

/**
 * What a client gets of a preview, a commit or a conflict, which carries a preview: every value once. `current` is the
 * state without what `changes` shows, a row with a verdict is only there, and long arguments are named instead of repeated.
 */
export function shownResult(result: Json): Json {
  const { proposed, ...rest } = result;
  const rowsWithVerdict = new Set(Object.keys(isRecord(result.verdicts) ? result.verdicts : {}));
  const shown = proposed === undefined ? rest : { ...rest, current: unchangedBetween(result.current, proposed) ?? {} };
  return Object.fromEntries(
    Object.entries(shown).flatMap(([name, value]): [string, unknown][] => {
      if (name === "commit_with" && isRecord(value)) return argumentsOf(value);
      if (name === "changes") {
        const others = (value as Change[]).filter(({ path }) => !names(path, rowsWithVerdict));
        return [[name, others.map(withoutEmptyFields)]];
      }
      if (name === "current" || name === "after") return [[name, withoutRows(value, rowsWithVerdict)]];
      return [[name, value]];
    }),
  );
}

/** Of a row that is added or removed, only the fields that have a value. */
function withoutEmptyFields({ path, from, to }: Change): Change {
  const filled = (row: unknown) =>
    isRecord(row) ? Object.fromEntries(Object.entries(row).filter(([, value]) => !isEmpty(value))) : row;
  return from === null || to === null ? { path, from: filled(from), to: filled(to) } : { path, from, to };
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === "object" && Object.keys(value).length === 0);
}

/** An argument whose JSON is longer is not repeated: the caller has it. */
const longestArgument = 200;

function argumentsOf(commitWith: Json): [string, unknown][] {
  const long = Object.keys(commitWith).filter((name) => JSON.stringify(commitWith[name]).length > longestArgument);
  const short = Object.entries(commitWith).filter(([name]) => !long.includes(name));
  return [
    ["commit_with", Object.fromEntries(short)],
    ...(long.length === 0 ? [] : [["repeat_arguments", long] as [string, unknown]]),
  ];
}

function names(path: string, rows: Set<string>): boolean {
  return rows.size > 0 && path.split(/[.[\]]/).some((part) => rows.has(part));
}

function withoutRows(state: unknown, rows: Set<string>): unknown {
  if (rows.size === 0 || !isRecord(state)) return state;
  const kept = Object.entries(state).filter(([name]) => !rows.has(name));
  return Object.fromEntries(
    kept
      .map(([name, value]) => [name, withoutRows(value, rows)] as const)
      .filter(([, value]) => !isRecord(value) || Object.keys(value).length > 0),
  );
}

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
