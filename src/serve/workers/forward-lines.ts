import type { Readable } from "node:stream";

/**
 * Passes on what a worker writes, line by line: several processes that write to one pipe would cut each other's lines. A
 * last line without an end gets one.
 */
export function forwardLines(stream: Readable, write: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) write(`${line}\n`);
  });
  stream.on("error", () => {});
  stream.on("close", () => {
    if (rest !== "") write(`${rest}\n`);
  });
}
