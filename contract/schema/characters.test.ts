import { describe, expect, it } from "vitest";
import { isTidy, isVisible, refusedCharacter, tidyText, withoutUntidy } from "./characters.js";

describe("texts that are stored as they are", () => {
  it.each([
    ["a family emoji", "👩‍👩‍👧‍👦"],
    ["an emoji with skin tone and profession", "👩🏽‍🚀"],
    ["a heart on fire", "❤️‍🔥"],
    ["a rainbow flag", "🏳️‍🌈"],
    ["the flag of Scotland", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"],
    ["a keycap", "1️⃣"],
    ["Persian with a non-joiner", "می\u200cخواهم"],
    ["Arabic with a joiner", "ه\u200d"],
    ["Hindi with a joiner", "क्\u200dष"],
    ["Sinhala with a joiner", "ශ්\u200dරී"],
    ["Khmer with zero-width spaces", "សួស្តី\u200bពិភពលោក"],
    ["Mongolian with a vowel separator", "ᠬᠠᠷ\u180eᠠ"],
    ["an ideographic variant", "葛\u{e0100}"],
    ["Hebrew with a mark", "שלום\u200f!"],
    ["several lines", "one\n\ttwo\r\nthree"],
    ["combining marks", "e\u0301\u0323"],
    ["stacked Hebrew points", "\u05e9\u05c1\u034f\u05b8"],
  ])("%s", (_name, text) => {
    expect(tidyText(text)).toBe(text);
    expect(refusedCharacter(text)).toBeUndefined();
    expect(isTidy(text)).toBe(true);
    expect(isVisible(text)).toBe(true);
  });
});

describe("invisible characters without an effect", () => {
  it.each([
    ["a zero-width space", "A\u200bda", "Ada"],
    ["a byte order mark", "\ufeffAda", "Ada"],
    ["a soft hyphen", "Soft\u00adware", "Software"],
    ["a word joiner", "A\u2060da", "Ada"],
    ["a joiner between Latin letters", "A\u200dda", "Ada"],
    ["a non-joiner between Latin letters", "A\u200cda", "Ada"],
    ["a joiner behind the last emoji", "👩\u200d", "👩"],
    ["two joiners", "می\u200c\u200cخواهم", "می\u200cخواهم"],
    ["hidden tags", "Ada\u{e0049}\u{e0067}\u{e006e}", "Ada"],
    ["tags behind a flag that are no region", `🏴${"\u{e0061}".repeat(40)}\u{e007f}`, "🏴"],
    ["a run of variation selectors", "👍\ufe01\ufe02\ufe03", "👍\ufe01"],
    ["supplementary selectors behind a letter", "A\u{e0101}\u{e0102}", "A"],
    ["a run of direction marks", "\u200e\u200f\u200eAda", "\u200eAda"],
    ["direction marks with something between them", "\u200e\u200b\u200fAda", "\u200eAda"],
    ["annotation characters", "\ufff9Ada\ufffaX\ufffb", "AdaX"],
    ["other line breaks", "a\u2028b\u2029c\u0085d\ve\ff", "a\nb\nc\nd\ne\nf"],
  ])("%s", (_name, text, expected) => {
    expect(isTidy(text)).toBe(false);
    expect(tidyText(text)).toBe(expected);
    expect(tidyText(expected)).toBe(expected);
    expect(refusedCharacter(tidyText(text))).toBeUndefined();
  });

  it("are all that is in a text that is not visible", () => {
    for (const text of ["", " ", "\u200b", "\u3164", "\u2800", "\u200e", "\u{e0041}", "\u115f\u1160"]) {
      expect(isVisible(text), JSON.stringify(text)).toBe(false);
    }
  });
});

describe("refused characters", () => {
  it("are named with their position", () => {
    expect(refusedCharacter("abc\u202egnp.exe")).toBe(
      "character 4 is U+202E (right-to-left override), which changes the order of the text shown: remove it",
    );
    expect(refusedCharacter("🦜🦜\u0007")).toBe("character 3 is U+0007 (a control character): remove it");
  });

  it("are all control characters but tabs and line breaks, and all that change the direction", () => {
    const codes = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
    const refused = codes.filter((character) => refusedCharacter(tidyText(character)) !== undefined);
    const controls = codes.slice(1, 0x20).concat(codes.slice(0x7f, 0xa0));
    const breaks = ["\t", "\n", "\v", "\f", "\r", "\u0085"];
    expect(refused).toEqual([
      ...controls.filter((character) => !breaks.includes(character)),
      ...codes.slice(0x202a, 0x202f),
      ...codes.slice(0x2066, 0x206a),
    ]);
  });

  it("are removed from data that is older than the rule, with everything else that is not stored", () => {
    const old = { name: "abc\u202egnp", answers: { "a\u0007": ["\u200bx", 1, null], ok: "\u2028" }, n: 2 };
    expect(withoutUntidy(old)).toEqual({
      value: { name: "abcgnp", answers: { a: ["x", 1, null], ok: "\n" }, n: 2 },
      removed: ["U+0007", "U+200B", "U+202E"],
    });
    expect(withoutUntidy({ a: 1, "a\u0007": 2 }).value).toEqual({ a: 1, "a\u0007": 2 });
  });
});
