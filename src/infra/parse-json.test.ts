import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ServiceError } from "../../contract/errors.js";
import { parseJson } from "./parse-json.js";

const parse = (text: string) => parseJson(Buffer.from(text), { maximumValues: 1_000 });

function problemOf(text: string): string {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof ServiceError) return error.message;
    throw error;
  }
  return "none";
}

describe("parseJson", () => {
  it("accepts every document that JSON.stringify writes, with any white space", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, "\t"), (value, space) => {
        const text = JSON.stringify(value, null, space);
        // fast-check may generate the one key that is refused.
        if (!text.includes("__proto__") && text.length < 1_000) expect(parse(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it("accepts exactly what JSON.parse accepts", () => {
    const fragments = fc.constantFrom(
      ...["{", "}", "[", "]", ":", ",", '"a"', '"b"', '"\\u00e9"', '"\\x"', '"\n"', "1", "-", "01", "1.", "1e5", "tru"],
      ...["true", "null", " ", "\n", "\u00a0", '"', "\\", "-0", "NaN"],
    );
    fc.assert(
      fc.property(fc.array(fragments, { maxLength: 9 }), (parts) => {
        const text = parts.join("");
        const problem = problemOf(text);
        if (/repeated|__proto__/.test(problem)) return;
        expect(problem === "none", `${text} → ${problem}`).toBe(isJson(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it("finds a repeated key at any depth and with any escapes", () => {
    const unit = (part: string) => `\\u${part.charCodeAt(0).toString(16).padStart(4, "0")}`;
    const wrap = fc.array(fc.constantFrom("array", "object"), { maxLength: 10 });
    fc.assert(
      fc.property(wrap, fc.string({ minLength: 1 }), (wraps, key) => {
        const escaped = `"${key.split("").map(unit).join("")}"`;
        const between = `${JSON.stringify(`${key} `)}:[{"1":"\\\\\\""}]`;
        let text = `{${JSON.stringify(key)}:1,${between},${escaped}:2}`;
        for (const kind of wraps) text = kind === "array" ? `[1,${text}]` : `{"a":${text}}`;
        expect(problemOf(text)).toMatch(key === "__proto__" ? /__proto__/ : /is repeated$/);
      }),
    );
  });

  it.each([
    ["", "body: invalid JSON at line 1, column 1: the text ends too early"],
    ['{"a": 1,\n "b": tru}', "body: invalid JSON at line 2, column 7: expected a value"],
    ['{"a" 1}', 'body: invalid JSON at line 1, column 6: expected ":"'],
    ["[1, 2", "body: invalid JSON at line 1, column 6: the text ends too early"],
    ["[1 2]", 'body: invalid JSON at line 1, column 4: expected "," or "]"'],
    ["{'a': 1}", 'body: invalid JSON at line 1, column 2: expected a key or "}" in double quotes'],
    ['{"a": 1,}', "body: invalid JSON at line 1, column 9: expected a key in double quotes"],
    ['["\\x"]', "body: invalid JSON at line 1, column 3: expected a valid escape"],
    ['["a\tb"]', "body: invalid JSON at line 1, column 4: expected control characters as \\u00.."],
    ['["abc', "body: invalid JSON at line 1, column 6: the text ends too early"],
    ["{} {}", "body: invalid JSON at line 1, column 4: expected the end"],
    ["[-]", "body: invalid JSON at line 1, column 2: expected a number"],
    ["\ufeff{}", "body: invalid JSON at line 1, column 1: expected a value"],
    ['{"a": 1, "a": 2}', 'body: invalid JSON at line 1, column 10: expected each key once, but "a" is repeated'],
    [
      '{"a": {"b": 1, "\\u0062": 2}}',
      'body: invalid JSON at line 1, column 16: expected each key once, but "b" is repeated',
    ],
    ['{"__proto__": 1}', "body: invalid JSON at line 1, column 2: expected no key named __proto__"],
    ["[".repeat(33), "body: expected at most 32 levels of nesting"],
    [`[${"1,".repeat(1_000)}1]`, "body: expected at most 1000 fields and list items in total"],
    [`{"a": [${"{},".repeat(500)}`, "body: expected at most 1000 fields and list items in total"],
  ])("%.30j: %s", (text, problem) => {
    expect(problemOf(text)).toBe(problem);
  });

  it("the same key in different objects is not a repetition", () => {
    expect(parse('[{"a": 1}, {"a": {"a": 2}}]')).toEqual([{ a: 1 }, { a: { a: 2 } }]);
  });

  it("the message does not grow with a long key", () => {
    const key = JSON.stringify("k".repeat(10_000));
    expect(problemOf(`{${key}: 1, ${key}: 2}`).length).toBeLessThan(200);
  });

  it("invalid UTF-8 is refused", () => {
    expect(() => parseJson(Buffer.from([0x22, 0xff, 0x22]), { maximumValues: 1 })).toThrow("body: expected UTF-8");
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
