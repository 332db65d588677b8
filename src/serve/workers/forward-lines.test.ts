import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { forwardLines } from "./forward-lines.js";

it("passes complete lines on, however they arrive, and ends the last one", async () => {
  const stream = new PassThrough();
  const lines: string[] = [];
  forwardLines(stream, (line) => lines.push(line));
  const bytes = Buffer.from('{"a":"ü"}\n{"b":2}\n\n{"c":');
  for (const byte of bytes) stream.write(Buffer.of(byte));
  stream.end();
  await once(stream, "close");
  expect(lines).toEqual(['{"a":"ü"}\n', '{"b":2}\n', "\n", '{"c":\n']);
});
