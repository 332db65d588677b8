import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { prepareTools } from "../../src/mcp/tool-list.js";
import { consoleTools, platformTools, tools } from "../../src/registry.js";
import { inputSchemaOf } from "../../src/runner/commit-arguments.js";
import { jsonSchemaOf } from "../../src/schema/json-schema.js";

/** What `tools/list` says about arguments is what the server enforces: a value is refused by both or by neither. */

// biome-ignore lint/suspicious/noExplicitAny: JSON Schema has every shape.
type Json = any;

const validator = new AjvJsonSchemaValidator();
const listed = prepareTools(tools, ["*"]).tools.map(({ tool, wire }) => ({
  tool,
  schema: inputSchemaOf(tool),
  wire: JSON.parse(wire).inputSchema,
}));

const uuids = (count: number) =>
  Array.from({ length: count }, (_, n) => `71724f52-eb02-8e43-9aa3-${String(n).padStart(12, "0")}`);
const linksOf = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`link ${n}`, "https://example.com/"]));
const urlOf = (length: number) => "https://example.com/".padEnd(length, "x");
const emailOf = (length: number) => `${"a".repeat(60)}@${"b".repeat(60)}.${"c".repeat(length - 126)}.com`;
const lengths = [1, 2, 3, 7, 8, 63, 64, 65, 100, 101, 128, 129, 200, 201, 400, 401, 499, 500, 501, 4000, 4001, 20_001];
const counts = [0, 1, 2, 20, 21, 50, 51, 100, 101, 200, 201, 500, 501, 1000, 1001];

const commit = {
  dry_run: false,
  confirm: true,
  reason: "for the test",
  idempotency_key: "12345678",
  expected_version: "v",
};

/** Of every kind that some argument accepts, on both sides of every limit. */
const values: unknown[] = [
  ...[null, true, false, {}, [], 1.5, -1, 0, 1, 50, 199, 200, 201, 10_079, 10_080, 10_081, 10_000_000, 10_000_001],
  ...["", " ", "\u00a0", "approve", "approved", "talk", "other", "headline", "#1a2b3c", "#1a2b3", "#1a2b3g"],
  ...lengths.map((length) => "a".repeat(length)),
  ...["https://example.com", "http://example.com/a", "ftp://example.com", "https://", "https:///a", "https://a b.com"],
  ...[urlOf(2048), urlOf(2049), "ada@example.com", "ada@", emailOf(190), emailOf(300)],
  ...["2027-03-01T18:30:00Z", "2027-03-01T18:30:00+02:00", "2027-03-01T18:30:00", "2027-03-01", "0027-03-01T18:30:00Z"],
  ...[uuids(1)[0], uuids(1)[0]?.toUpperCase(), ["a"], [1], [null], [...uuids(2), ...uuids(1)]],
  ...counts.map((count) => uuids(count)),
  ...counts.map((count) => linksOf(count)),
  ...[{ a: "ftp://example.com" }, { a: 1 }, { a: null }, { " ": urlOf(30) }, { "": urlOf(30) }],
  ...[{ [`${"n".repeat(64)}`]: urlOf(30) }, { [`${"n".repeat(65)}`]: urlOf(30) }, { a: urlOf(2049) }],
];

describe.each(listed)("$tool.name", ({ tool, schema, wire }) => {
  const validate = validator.getValidator(wire);
  const base: Json = { ...tool.example, ...(tool.kind === "mutation" ? commit : {}) };
  const verdicts = (args: object) => ({
    schema: validate(args).valid,
    server: schema.safeParse(args).success,
  });

  it("accepts its example and refuses unknown and missing arguments, in the list as in the server", () => {
    expect(verdicts(base)).toEqual({ schema: true, server: true });
    expect(verdicts({ ...base, other: 1 })).toEqual({ schema: false, server: false });
    for (const name of wire.required ?? []) {
      const { [name]: _, ...rest } = base;
      expect(verdicts(rest), name).toEqual({ schema: false, server: false });
    }
    for (const name of Object.keys(wire.properties)) {
      const { [name]: _, ...rest } = base;
      if (!wire.required?.includes(name)) expect(verdicts(rest), name).toEqual({ schema: true, server: true });
    }
  });

  it("has every limit that the server enforces", () => {
    for (const [name, property] of Object.entries<Json>(wire.properties)) {
      // All tools share the arguments of a commit.
      if (name in commit && tool.name !== "update_organization_profile") continue;
      for (const value of [...values, ...bounds(property.anyOf?.[0] ?? property)]) {
        const { schema: inSchema, server } = verdicts({ ...base, [name]: value });
        // Which names are time zones is more than a schema can say.
        if (property.description?.startsWith("IANA name") && !server) continue;
        if (inSchema !== server) expect.fail(`${name}: ${JSON.stringify(value).slice(0, 80)}: ${inSchema}, ${server}`);
      }
    }
  });
});

function bounds({ minimum, maximum }: Json): number[] {
  return [minimum, maximum].flatMap((limit) => (limit === undefined ? [] : [limit - 1, limit, limit + 1]));
}

it("the commit arguments are described, with their limits", () => {
  for (const { tool, wire } of listed) {
    if (tool.kind !== "mutation") continue;
    expect(wire.properties).toMatchObject({
      dry_run: { type: "boolean", default: true, description: "false commits" },
      confirm: { type: "boolean" },
      reason: { type: "string", pattern: "\\S", maxLength: 500, description: "why" },
      idempotency_key: { type: "string", pattern: "\\S", maxLength: 128 },
      expected_version: { type: "string" },
    });
  }
});

describe("booleans and integers given as strings", () => {
  type Field = { name: string; kind: "boolean" | "integer"; field: Json; schema: z.ZodType };
  const fields: Field[] = [...tools, ...consoleTools, ...platformTools].flatMap((tool) => {
    const schema = inputSchemaOf(tool);
    const { properties = {} } = jsonSchemaOf(schema, "input").root as Json;
    return Object.entries<Json>(properties).flatMap(([name, field]) => {
      const kind = kindOf(field);
      const own = schema.shape[name] as z.ZodType;
      return kind === undefined ? [] : [{ name: `${tool.name}.${name}`, kind, field, schema: own }];
    });
  });

  it("are those that the declaration names, within its limits", () => {
    expect(new Set(fields.map(({ kind }) => kind)).size).toBe(2);
    for (const { name, kind, field, schema } of fields) {
      const parse = (value: unknown) => schema.safeParse(value);
      const refused = (value: unknown) => `${name} ${value}: ${parse(value).error?.issues[0]?.message}`;
      if (kind === "boolean") {
        expect([parse("true").data, parse("false").data], name).toEqual([true, false]);
        for (const other of ["TRUE", "yes", "1", "0", "", " true", 1, 0, [true]]) {
          expect(refused(other)).toBe(`${name} ${other}: expected true or false`);
        }
        continue;
      }
      const { minimum, maximum } = field.anyOf?.[0] ?? field;
      expect([parse(String(minimum)).data, parse(String(maximum)).data], name).toEqual([minimum, maximum]);
      const beyond = [String(minimum - 1), String(maximum + 1)];
      for (const other of [...beyond, "1.0", "1e1", "05", "+5", " 5", "5 ", "0x5", "five", "", "1_0", true, [5]]) {
        expect(refused(other)).toBe(`${name} ${other}: expected an integer from ${minimum} to ${maximum}`);
      }
    }
  });
});

function kindOf(field: Json): "boolean" | "integer" | undefined {
  const { type } = field.anyOf?.[0] ?? field;
  if (type === "number") throw new Error("declare integers with integer(): a number has no rule for strings");
  return type === "boolean" || type === "integer" ? type : undefined;
}
