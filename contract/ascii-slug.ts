/** "Café Łódź 2027" → "cafe-odz-2027": what is left of a text in letters for addresses and headers; empty if that is nothing. */
export function asciiSlug(text: string, maximum: number): string {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const slug = plain.replaceAll(/[^a-z0-9]+/g, "-").replace(/^-/, "");
  return slug.slice(0, maximum).replace(/-$/, "");
}
