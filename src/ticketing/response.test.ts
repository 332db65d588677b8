import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { ServiceError } from "../../contract/errors.js";
import { createKeyMask, maskAndLimit } from "./response.js";

const key = "luma/key+4711~x";
const escapes = [...key].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");

const through = (...chunks: string[]) =>
  text(
    Readable.from(chunks.map((chunk) => Buffer.from(chunk))).pipe(
      maskAndLimit({
        limitBytes: 10_000,
        keyMask: createKeyMask(key),
        failure: () => new ServiceError("bad_gateway", "failed"),
      }),
    ),
  );

it.each([
  ["as it is", key],
  ["in JSON escapes", escapes],
  ["in hex", Buffer.from(key).toString("hex")],
  ["in percent encoding", encodeURIComponent(key)],
  ["in base64", Buffer.from(key).toString("base64").replace(/=+$/, "")],
])("masks a key %s, wherever chunks divide it", async (_form, written) => {
  const [before, after] = ["x".repeat(200), "y".repeat(200)];
  const whole = await through(before + written + after);
  expect(whole).toHaveLength(before.length + written.length + after.length);
  expect(whole.slice(before.length, before.length + written.length)).toMatch(/^\*+.?$/);
  for (let at = 1; at < written.length; at += 1) {
    expect(await through(before + written.slice(0, at), written.slice(at) + after)).toBe(whole);
  }
});
