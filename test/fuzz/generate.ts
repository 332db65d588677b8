import type { Random } from "../support/random.js";

/** Values for a JSON Schema: mostly valid ones, and every kind of wrong one. */

export type Schema = {
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  allOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  $ref?: string;
};

export type Generator = {
  random: Random;
  /** Ids that exist, of the caller's organization and of another, by the name of the field that takes them. */
  ids: Record<string, string[]>;
  resolve(reference: string): Schema;
  /** The chance that a value is a wrong one. */
  wildness: number;
};

export const oddStrings = [
  ...[
    "",
    " ",
    "\t",
    "\n",
    "\0",
    "\u0007",
    "\ud800",
    "\udc00x",
    "\u202egnp.exe",
    "\u200b",
    "\ufeff",
    "e\u0301",
    "𝕏",
    "👩‍👩‍👧‍👦",
    "﷽",
  ],
  ...["'; drop table events; --", "%00", "%", "../../etc/passwd", "{{7*7}}", "<script>", "null", "undefined", "NaN"],
  ...[
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "hasOwnProperty",
    "-1",
    "1e9999",
    "0x10",
    "٥",
    "true",
    "[object Object]",
  ],
  ...[
    "https://user:pass@example.com/",
    "http://[::1]:0/",
    "javascript:alert(1)",
    "https://exämple.com/ü",
    "http://x\n.example",
  ],
  ...[
    "2031-02-30T00:00:00Z",
    "9999-12-31T23:59:59.999999999Z",
    "-000001-01-01T00:00:00Z",
    "2031-05-01T18:00",
    "0000-00-00",
  ],
  ...["a@b", "a@b.example\nBcc: c@d.example", "Europe/../../x", "svc_mk_", 'W/"x"', "*"],
];

const oddNumbers = [0, -0, -1, 0.1, 1e21, -1e308, 2 ** 31, 2 ** 53, 2 ** 53 + 2, Number.MIN_VALUE];

export function generate(generator: Generator, schema: Schema, name = "", depth = 0): unknown {
  const { random, wildness } = generator;
  if (random.chance(wildness)) return oddValue(generator, depth);
  if (schema.$ref !== undefined) return generate(generator, generator.resolve(schema.$ref), name, depth);
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choices !== undefined) return generate(generator, random.pick(choices), name, depth);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return random.pick(schema.enum);
  const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type;
  switch (type) {
    case "object":
      return generateObject(generator, schema, depth);
    case "array":
      return Array.from({ length: random.below(4) }, () => generate(generator, schema.items ?? {}, name, depth + 1));
    case "boolean":
      return random.chance(0.5);
    case "integer":
      return random.below(300);
    case "number":
      return random.below(1_000) / 4;
    case "null":
      return null;
    case "string":
      return generateString(generator, schema.format, name);
    default:
      return oddValue(generator, depth);
  }
}

function generateObject(generator: Generator, schema: Schema, depth: number): Record<string, unknown> {
  const { random, wildness } = generator;
  const required = new Set(schema.required ?? []);
  const object: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (random.chance(required.has(name) ? 1 - wildness / 2 : 0.4))
      object[name] = generate(generator, field, name, depth + 1);
  }
  const others = schema.additionalProperties;
  if (typeof others === "object") {
    for (let n = random.below(3); n > 0; n--)
      object[random.pick(["x", "web", ...oddStrings])] = generate(generator, others, "", depth + 1);
  }
  if (random.chance(wildness)) object[random.pick(["unknown", ...oddStrings])] = oddValue(generator, depth + 1);
  return object;
}

function generateString(generator: Generator, format: string | undefined, name: string): string {
  const { random } = generator;
  switch (format) {
    case "uuid":
      return random.chance(0.95) ? anyId(generator, name) : random.uuid();
    case "date-time":
      return `20${30 + random.below(10)}-05-0${1 + random.below(9)}T1${random.below(10)}:00:00Z`;
    case "date":
      return "2031-05-01";
    case "uri":
      return `https://social.example.com/${random.below(100)}`;
    default:
      return random.chance(0.2) ? `text ${random.pick(oddStrings)}` : random.pick(plainStrings);
  }
}

const plainStrings = ["Hall 2", "guest@example.com", "Europe/Lisbon", "#0a7f5a", "approve", "an explanation"];

/** Mostly an id of the kind that the field takes: `speaker_ids` takes those of `speaker_id`. */
function anyId({ random, ids }: Generator, name: string): string {
  const fitting = ids[name.replace(/s$/, "")];
  return random.pick(fitting !== undefined && random.chance(0.8) ? fitting : Object.values(ids).flat());
}

function oddValue(generator: Generator, depth: number): unknown {
  const { random } = generator;
  const values: (() => unknown)[] = [
    () => random.pick(oddStrings),
    () => random.pick(oddStrings) + random.pick(oddStrings),
    () => random.pick(oddNumbers),
    () => random.pick([true, false, null]),
    () => anyId(generator, ""),
    () => random.pick(["x", "é", "👩‍👩‍👧‍👦", '\\"']).repeat(random.below(3_000)),
    () => [],
    () => ({}),
    () => Array.from({ length: random.below(300) }, () => random.pick([1, "x", null])),
    () => (depth < 3 ? [oddValue(generator, depth + 1)] : null),
    () => (depth < 3 ? { [random.pick(oddStrings)]: oddValue(generator, depth + 1) } : "deep"),
  ];
  return random.pick(values)();
}

/** The JSON text of a value, sometimes damaged in ways that JSON.stringify cannot produce. */
export function toText({ random, wildness }: Generator, value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  if (!random.chance(wildness)) return text;
  const damages: (() => string)[] = [
    () => text.replace("{", '{"a": 1, "a": 2, '),
    () => text.replace(/"(\w+)":/, '"$1":null,"$1":'),
    () => text.slice(0, random.below(text.length + 1)),
    () => `${text}${text}`,
    () => `\ufeff${text}`,
    () => text.replace(/\d+/, "9007199254740993"),
    () => text.replace(/\d+/, "1e400"),
    () => `${"[".repeat(200)}${text}`,
    () => text.replace("{", '{"__proto__": {"polluted": 1}, '),
    () => `{"x": "${"y".repeat(300_000)}"}`,
    () => `[${"{},".repeat(6_000)}{}]`,
    () => "",
  ];
  return random.pick(damages)();
}
