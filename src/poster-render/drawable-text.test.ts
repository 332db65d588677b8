import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { initialsOf, scriptStyleOf, toDrawableText } from "./drawable-text.js";

/** Scripts with and without a font, marks, joiners, controls, emoji parts and lone surrogates. */
const ranges: [number, number][] = [
  [0x00, 0x17f],
  [0x300, 0x36f],
  [0x370, 0x5ff],
  [0x600, 0x6ff],
  [0x900, 0xbff],
  [0xe00, 0xe7f],
  [0x1200, 0x12ff],
  [0x1e00, 0x1eff],
  [0x2000, 0x206f],
  [0x20d0, 0x20ff],
  [0x3000, 0x30ff],
  [0x4e00, 0x4e7f],
  [0xac00, 0xac7f],
  [0xd800, 0xdfff],
  [0xfe00, 0xfeff],
  [0x1d400, 0x1d4ff],
  [0x1f1e6, 0x1f1ff],
  [0x1f300, 0x1f6ff],
  [0xe0000, 0xe007f],
  [0, 0x10ffff],
];
const anyCharacter = fc.oneof(
  ...ranges.map(([min, max]) => fc.integer({ min, max }).map((codePoint) => String.fromCodePoint(codePoint))),
);

describe("drawable text", () => {
  const inter = { family: "inter", weight: 600 } as const;
  const plain = scriptStyleOf([]);
  const read = (text: string) =>
    toDrawableText(text, inter, scriptStyleOf([text]))
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
    "বিতরণকৃত ব্যবস্থার ভবিষ্যৎ",
    "பகிர்ந்தளிக்கப்பட்ட அமைப்புகள்",
    "განაწილებული სისტემები",
    "Բաշխված համակարգեր",
    "مُسْتَقْبَلُ الأَنْظِمَةِ المُوَزَّعَةِ",
    "Ærøskøbing Łódź İzmir ħ ẞ",
  ])("%s is kept as written", (text) => {
    expect(read(text)).toBe(text.normalize("NFC"));
  });

  test.each([
    ["Hello ߷ 𓀀 ሰላም world", "Hello world"],
    ["𝓕𝓪𝓷𝓬𝔂 ﬁt", "Fancy ﬁt"],
    ["Z̷̢̛͓A̷̢L̷G̷O", "ZALGO"],
    ["a\u0000b\u200bc\u202ed\ufeffe\u00adf\ud800g\ue000h", "abcdefgh"],
    ["one\r\n\ttwo\u2028three\u00a0four", "one two three four"],
    ["  \u200b ", ""],
  ])("%j is reduced to %j", (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  test("an emoji sequence is one unit with artwork; an unknown sequence falls back to one of its parts", () => {
    for (const emoji of ["👩🏽‍🚀", "🇫🇷", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👨‍👩‍👧‍👦", "1️⃣", "❤️", "👋🏿", "🏳️‍🌈", "🧑🏿‍🦽"]) {
      const { units } = toDrawableText(emoji, inter, plain);
      expect(units).toHaveLength(1);
      expect(units[0]?.artwork).toMatch(/^<svg/);
    }
    expect(toDrawableText("🚀\u200d🍕", inter, plain).units[0]?.artwork).toMatch(/^<svg/);
  });

  test("every character that is kept has a glyph or artwork", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 40 }), (text) => {
        const { units } = toDrawableText(
          text,
          { family: "fraunces", weight: 600 },
          { han: "japanese", arabic: "plain" },
        );
        return units.every(
          ({ text: drawn, subset, artwork }) =>
            artwork !== undefined || Array.from(drawn).every((each) => subset?.font.has(each.codePointAt(0) ?? 0)),
        );
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
