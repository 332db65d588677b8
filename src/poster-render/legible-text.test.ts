import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hanStyleOf, initialsOf, makeLegible } from "./legible-text.js";

describe("legible text", () => {
  const inter = { family: "inter", weight: 600 } as const;
  const read = (text: string) =>
    makeLegible(text, inter, hanStyleOf([text]))
      .units.map((unit) => unit.text)
      .join("");

  test.each([
    "Тихая инфраструктура",
    "Ελληνική γλώσσα",
    "Đặng Thùy Trâm ở Huế",
    "静かなインフラ、「夜」！",
    "分布式系统的未来",
    "臺灣開發者論壇",
    "조용한 인프라 뷁",
    "مستقبل الأنظمة",
    "שלום עולם",
    "สวัสดีชาวโลก",
    "नमस्ते दुनिया",
    "Ærøskøbing Łódź İzmir ħ ẞ",
  ])("%s is drawn as written", (text) => {
    expect(read(text)).toBe(text.normalize("NFC"));
  });

  test.each([
    ["Hello ߷ 𓀀 ሰላም world", "Hello world"],
    ["𝓕𝓪𝓷𝓬𝔂 ﬁt", "Fancy ﬁt"],
    ["Z̷̢̛͓A̷̢L̷G̷O", "ZALGO"],
    ["a\u0000b\u200bc\u202ed\ufeffe\u00adf\ud800g\ue000h", "abcdefgh"],
    ["one\r\n\ttwo\u2028three\u00a0four", "one two three four"],
    ["  \u200b ", ""],
  ])("%j becomes %j", (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  test("an emoji is one drawing, however many code points it has; one without a drawing falls back to a part", () => {
    for (const emoji of ["👩🏽‍🚀", "🇫🇷", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👨‍👩‍👧‍👦", "1️⃣", "❤️", "👋🏿", "🏳️‍🌈", "🧑🏿‍🦽"]) {
      const { units } = makeLegible(emoji, inter, "chinese");
      expect(units).toHaveLength(1);
      expect(units[0]?.artwork).toMatch(/^data:image\/svg/);
    }
    expect(makeLegible("🚀\u200d🍕", inter, "chinese").units[0]?.artwork).toMatch(/^data:image\/svg/);
  });

  test("whatever the text, each character that is kept has a glyph or a drawing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), (text) => {
        const { units, slices } = makeLegible(text, { family: "fraunces", weight: 600 }, "japanese");
        const covered = (character: string) => slices.some(({ font }) => font.has(character.codePointAt(0) ?? 0));
        return units.every((unit) => unit.artwork !== undefined || Array.from(unit.text).every(covered));
      }),
      { numRuns: 300, seed: 7 },
    );
  });

  test.each([
    ["Amara Okonkwo", "AO"],
    ["maria de la cruz", "MC"],
    ["山田太郎", "山"],
    ["محمد الأحمد", "م"],
    ["(Ada) Lovelace-King", "AK"],
    ["🦄", "🦄"],
    ["", ""],
  ])("initials of %j are %j", (name, expected) => {
    expect(initialsOf(name)).toBe(expected);
  });
});
