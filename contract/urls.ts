/** The URL, or undefined if it is not one. `URL.canParse` is wrong for letters such as ü once Node 20 has optimized it. */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
