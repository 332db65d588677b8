import { z } from "zod";
import { fieldError, ServiceError } from "../../contract/errors.js";
import { atMost } from "../../contract/schema/fields.js";
import { parseArguments } from "./commit-arguments.js";
import type { AnyInput } from "./tool.js";

type Shape = Record<string, z.ZodType>;

/**
 * The input of a tool that takes one row, as fields of its own, or a list of rows. A schema cannot say "one of the two"
 * without alternatives at its root, which some clients do not support: `rowsOf` checks it.
 */
export function oneOrMany<Row extends Shape>(list: string, maximum: number, row: Row) {
  const names = Object.keys(row);
  const error = `expected 1 to ${maximum} ${list}`;
  const rows = z.array(z.strictObject(row)).min(1, { error }).max(maximum);
  type Parsed = z.output<z.ZodObject<Row>>;
  return {
    fields: {
      ...Object.fromEntries(Object.entries(row).map(([name, field]) => [name, optional(field)])),
      [list]: atMost(maximum, `${error}: send the rest in another call`, rows).exactOptional(),
    } as Shape,

    /** The rows of a request, and whether it is a list. */
    rowsOf(input: AnyInput): { rows: Parsed[]; isList: boolean } {
      const given = names.filter((name) => input[name] !== undefined);
      const many = input[list] as Parsed[] | undefined;
      if (many === undefined) {
        const one = parseArguments(z.object(row), Object.fromEntries(given.map((name) => [name, input[name]])));
        return { rows: [one as Parsed], isList: false };
      }
      if (given.length > 0) throw fieldError(list, `send ${list} or ${given.join(", ")}, not both`);
      return { rows: many, isList: true };
    },
  };
}

/** Requires exactly one of these arguments, which a schema cannot say without alternatives at its root. */
export function requireOneOf(input: AnyInput, names: string[]): void {
  const given = names.filter((name) => input[name] !== undefined);
  if (given.length === 1) return;
  const wanted = `Send exactly one of ${names.join(", ")}`;
  throw new ServiceError("invalid_input", given.length === 0 ? wanted : `${wanted}, not ${given.join(" and ")}`);
}

function optional(field: z.ZodType): z.ZodType {
  return field instanceof z.ZodExactOptional ? field : field.exactOptional();
}

/** Requires that a new order lists every row; the error names missing and unknown ids. No id is given twice. */
export function requireEachOnce(field: string, given: string[], existing: string[]): void {
  const named = new Set(given);
  const known = new Set(existing);
  const problems = {
    missing: existing.filter((id) => !named.has(id)),
    unknown: [...named].filter((id) => !known.has(id)),
  };
  const texts = Object.entries(problems).flatMap(([problem, ids]) =>
    ids.length === 0 ? [] : [`${problem}: ${ids.join(", ")}`],
  );
  if (texts.length === 0) return;
  throw new ServiceError(
    "invalid_input",
    `${field}: expected every id of the event exactly once; ${texts.join("; ")}`,
    {
      details: problems,
    },
  );
}
