/** The URL, or undefined if it is not one. `URL.canParse` is wrong for letters such as ü once Node 20 has optimized it. */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

const loopbackNames = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether a host, as a URL has it, is the machine itself. */
export function isLoopbackHost(hostname: string | undefined): boolean {
  return hostname !== undefined && loopbackNames.has(hostname);
}
