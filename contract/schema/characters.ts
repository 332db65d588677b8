/**
 * The characters that texts of callers may have: one rule for REST, tools, console and import. Text is shown to people and
 * read by models, so nothing in it may be hidden from one of them (docs/decisions/text.md).
 */

/** No text, or it changes the order in which the text around it is shown: refused. Tabs and line breaks are text. */
const refused = /(?![\0\t\n\r])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

const names: Record<string, string> = {
  "\u202a": "left-to-right embedding",
  "\u202b": "right-to-left embedding",
  "\u202c": "pop directional formatting",
  "\u202d": "left-to-right override",
  "\u202e": "right-to-left override",
  "\u2066": "left-to-right isolate",
  "\u2067": "right-to-left isolate",
  "\u2068": "first strong isolate",
  "\u2069": "pop directional isolate",
};

/** Line breaks that not everything shows as such: they become "\n". */
const otherLineBreaks = /[\v\f\u0085\u2028\u2029]/g;

/** Scripts in which a joiner or non-joiner decides how the letter before it is written. */
const joiningScripts = scripts(
  ...[
    "Arabic",
    "Syriac",
    "Mandaic",
    "Nko",
    "Adlam",
    "Hanifi_Rohingya",
    "Mongolian",
    "Phags_Pa",
    "Devanagari",
    "Bengali",
  ],
  ...[
    "Gurmukhi",
    "Gujarati",
    "Oriya",
    "Tamil",
    "Telugu",
    "Kannada",
    "Malayalam",
    "Sinhala",
    "Tibetan",
    "Myanmar",
    "Khmer",
  ],
  ...["Balinese", "Javanese", "Sundanese", "Chakma", "Meetei_Mayek", "Newa", "Tirhuta", "Grantha", "Limbu"],
);
/** Scripts without spaces, where a zero-width space ends a word. */
const unspacedScripts = scripts("Khmer", "Thai", "Lao", "Myanmar");

const directionMarks = "\\u061c\\u200e\\u200f";
const tags = "\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}";
const invisibleCharacters = `\\u00ad\\u034f\\u180b-\\u180f\\u200b-\\u200d${directionMarks}\\u2060-\\u2064\\u206a-\\u206f\\ufe00-\\ufe0f\\ufeff\\ufff9-\\ufffb\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}`;

/** Where an invisible character decides what is shown. */
const meaningful = [
  `(?<=[${joiningScripts}])[\\u200c\\u200d]`,
  "(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\ufe0f?)\\u200d(?=\\p{Extended_Pictographic})",
  `(?<=[${unspacedScripts}])\\u200b`,
  `(?<=[^\\s${invisibleCharacters}])[\\ufe00-\\ufe0f]`,
  "(?<=\\p{Script=Han})[\\u{e0100}-\\u{e01ef}]",
  "(?<=\\p{Script=Mongolian})[\\u180b-\\u180f]",
  "(?<=\\p{M})\\u034f(?=\\p{M})",
  // The flags of England, Scotland and Wales.
  `(?<=\\u{1f3f4}[${tags}]{0,5})[${tags}](?=[${tags}]{0,5}\\u{e007f})`,
  `(?<=\\u{1f3f4}[${tags}]{3,6})\\u{e007f}`,
  `(?<![${invisibleCharacters}])[${directionMarks}]`,
];

/** Invisible characters that have no effect where they are: they would only hide something, so they are removed. */
const meaningless = new RegExp(`(?!${meaningful.join("|")})[${invisibleCharacters}]`, "gu");

const unusual = new RegExp(`[${invisibleCharacters}]|${otherLineBreaks.source}|${refused.source}`, "u");
const visible = /[^\s\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]/u;

/** Whether anything of the text can be seen. */
export function isVisible(text: string): boolean {
  return visible.test(text);
}

/** The text as it is stored: without invisible characters that have no effect, and with one kind of line break. */
export function tidyText(text: string): string {
  return unusual.test(text) ? text.replace(otherLineBreaks, "\n").replace(meaningless, "") : text;
}

/** Whether every character of the text is stored as it is. */
export function isTidy(text: string): boolean {
  return !unusual.test(text) || (tidyText(text) === text && text.search(refused) === -1);
}

/** What is wrong with the first character that is refused, if any. */
export function refusedCharacter(text: string): string | undefined {
  const at = text.search(refused);
  if (at === -1) return undefined;
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  const name = names[character];
  const kind = name === undefined ? "(a control character)" : `(${name}), which changes the order of the text shown`;
  return `character ${[...text.slice(0, at)].length + 1} is ${codePoint(character)} ${kind}: remove it`;
}

/** The value without the characters that are not stored, and which ones there were. For data that is older than the rule. */
export function withoutUntidy(value: unknown): { value: unknown; removed: string[] } {
  const removed = new Set<string>();
  const note = (character: string) => void removed.add(codePoint(character));
  return { value: mapTexts(value, (text) => tidied(text, note)), removed: [...removed].sort() };
}

/** The text without the characters that are not stored. */
export function tidied(text: string, note: (removed: string) => void = () => {}): string {
  const remove = (character: string) => {
    note(character);
    return "";
  };
  return text.replace(otherLineBreaks, "\n").replace(meaningless, remove).replace(refused, remove);
}

/** The value with each of its texts replaced, names of fields included; one that would then be there twice stays. */
export function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const mapped = map(name);
      return [mapped === name || Object.hasOwn(value, mapped) ? name : mapped, mapTexts(inner, map)];
    }),
  );
}

/** Whether the condition holds for each text of the value, names of fields included. */
export function everyText(value: unknown, holds: (text: string) => boolean): boolean {
  if (typeof value === "string") return holds(value);
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every((item) => everyText(item, holds));
  const fields = value as Record<string, unknown>;
  return Object.keys(fields).every((name) => holds(name) && everyText(fields[name], holds));
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

function scripts(...all: string[]): string {
  return all.map((name) => `\\p{Script_Extensions=${name}}`).join("");
}
