const plainLetters: Record<string, string> = {
  ł: "l",
  ø: "o",
  đ: "d",
  ð: "d",
  ħ: "h",
  ı: "i",
  ŧ: "t",
  ŋ: "n",
  ə: "e",
  ɛ: "e",
  ɔ: "o",
  ɓ: "b",
  ɗ: "d",
  ƙ: "k",
  ς: "σ",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  þ: "th",
};

/** The form in which the service searches too: without case, diacritics and apostrophes. */
export function folded(text: string): string {
  return text
    .replaceAll(/['`´‘’‛′ʹʻʼʽʾʿˈꞌ＇]/g, "")
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g, "")
    .replaceAll(/[łøđðħıŧŋəɛɔɓɗƙςßæœþ]/g, (letter) => plainLetters[letter] ?? letter)
    .normalize("NFC")
    .trim();
}
