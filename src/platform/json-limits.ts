/** How much a JSON text may contain, whatever it means: parsing, checking and refusing costs time for each of its values. */
export type JsonLimits = { values: number; depth: number };

export const jsonDepth = 32;

/**
 * The first limit that a JSON text exceeds, as an expectation; undefined if it exceeds none. It reads the text and not the
 * parsed value, because parsing 40,000 keys costs more than everything else. An empty object or list counts as one more.
 */
export function exceededLimit(text: string, limits: JsonLimits): string | undefined {
  let values = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === quote) at = endOfString(text, at);
    else if (character === comma) values += 1;
    else if (character === openBrace || character === openBracket) {
      values += 1;
      depth += 1;
    } else if (character === closeBrace || character === closeBracket) depth -= 1;
    if (depth > limits.depth) return `expected at most ${limits.depth} levels of nesting`;
    if (values > limits.values) return `expected at most ${limits.values} fields and list items in total`;
  }
  return undefined;
}

/** The position of the closing quote, or the end of a text that is not valid JSON. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
