import fc from "fast-check";
import { expect, it } from "vitest";
import { parseStrictJson } from "../../src/ticketing/request.js";

const parse = (text: string) => parseStrictJson(Buffer.from(text));

it("parses like JSON.parse", () => {
  const values = fc.jsonValue({ maxDepth: 8 });
  fc.assert(
    fc.property(values, fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      if (/\\u0000|__proto__|\\ud[89a-f]|[-\d]\d{15,}/i.test(text)) return;
      expect(parse(text)).toEqual(JSON.parse(text));
    }),
    { numRuns: 500 },
  );
});

it("detects a repeated key at any depth and with any escapes", () => {
  const wrap = fc.array(fc.constantFrom("array", "object"), { maxLength: 10 });
  fc.assert(
    fc.property(wrap, fc.string({ minLength: 1 }), fc.nat(9), (wraps, key, position) => {
      if (key.includes("\0") || !key.isWellFormed()) return;
      const plain = JSON.stringify(key);
      const escaped = `"${[...key].flatMap((part) => part.split("").map(unit)).join("")}"`;
      const fields = Array.from(
        { length: 10 },
        (_, index) => `${JSON.stringify(`k${index} ${key}`)}:[{"${index}":"\\\\\\""}]`,
      );
      fields.splice(position, 0, `${plain}:1`);
      fields.push(`${escaped}:2`);
      let text = `{${fields.join(",")}}`;
      for (const kind of wraps) text = kind === "array" ? `[1,${text}]` : `{"a":${text}}`;
      expect(() => parse(text)).toThrow(key === "__proto__" ? /__proto__/ : /repeated/);
    }),
  );
});

it("accepts the same key in different objects", () => {
  expect(parse('[{"a":{"a":1}},{"a":["a","a"]}]')).toEqual([{ a: { a: 1 } }, { a: ["a", "a"] }]);
});

it.each([
  '{"a":1}x',
  "{'a':1}",
  '{"a":01}',
  '{"a":NaN}',
  "",
  "\ufeff{}",
  '{"a":"\\u0000"}',
  '{"a":"\\udc00"}',
  '{"a":9007199254740993}',
  '{"a":-1e400}',
  `${"[".repeat(33)}${"]".repeat(33)}`,
  '{"__proto__":1}',
  '{"\\u005f_proto__":1}',
])("rejects %j", (text) => {
  expect(() => parse(text)).toThrow(/^body: (invalid JSON at line 1, column \d+: )?(expected|the text ends)/);
});

it("rejects bytes that are not UTF-8", () => {
  expect(() => parseStrictJson(Buffer.from([0x22, 0xc0, 0xae, 0x22]))).toThrow(/UTF-8/);
});

it("parses a large text in reasonable time", () => {
  const large = JSON.stringify({
    text: '\\"'.repeat(200_000),
    list: Array.from({ length: 2_000 }, (_, n) => ({ n })),
  });
  expect(JSON.stringify(parse(large))).toBe(large);
});

it("accepts 5,000 values and refuses more before parsing them", () => {
  const list = (length: number) => JSON.stringify(Array.from({ length }, () => ",[{"));
  expect(parse(list(5_000))).toHaveLength(5_000);
  expect(() => parse(list(5_001))).toThrow("body: expected at most 5000 fields and list items in total");
  const keys = `{${Array.from({ length: 5_001 }, (_, n) => `"${n}":1`).join()}, and no valid JSON after that`;
  expect(() => parse(keys)).toThrow("body: expected at most");
});

function unit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
