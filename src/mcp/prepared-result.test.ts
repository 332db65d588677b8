import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { prepareResult } from "./prepared-result.js";
import { resultBody } from "./results.js";

const fields = `"tools":[${Array.from({ length: 400 }, (_, n) => `{"name":"tool_${n}","description":"naïve “text” 名"}`)}]`;
const prepared = { legacy: prepareResult("legacy", fields), modern: prepareResult("modern", fields) };

/** What Node returns for `info`, which its types lack. */
type Decompressed = { buffer: Buffer; engine: { bytesWritten: number } };

describe("a prepared result", () => {
  const ids = [1, -1, Number.MAX_SAFE_INTEGER, "", "a", 'with "quotes"', "名🦜", "x".repeat(1_000), "x".repeat(1_021)];

  it.each(ids)("has the body of a result that is made for the id %j, in every coding", (id) => {
    for (const era of ["legacy", "modern"] as const) {
      const body = resultBody(era, id, fields);
      expect(prepared[era].respond(id, undefined)).toEqual({ body: Buffer.from(body), coding: undefined });
      for (const [coding, decompress] of [
        ["br", brotliDecompressSync],
        ["gzip", gunzipSync],
      ] as const) {
        const sent = prepared[era].respond(id, coding);
        expect(sent.coding).toBe(coding);
        expect(sent.body.length).toBeLessThan(body.length / 5);
        const { buffer, engine } = decompress(sent.body, { info: true }) as unknown as Decompressed;
        expect(buffer.toString()).toBe(body);
        // Nothing follows the end of the stream.
        expect(engine.bytesWritten).toBe(sent.body.length);
      }
    }
  });

  it("is not compressed for a longer id, for a client that accepts none, or if it is short", () => {
    const long = "x".repeat(1_022);
    expect(prepared.legacy.respond(long, "br").coding).toBeUndefined();
    expect(prepared.legacy.respond(long, "br").body.toString()).toBe(resultBody("legacy", long, fields));
    expect(prepared.legacy.respond(1, "identity").coding).toBeUndefined();
    const short = prepareResult("legacy", '"a":1');
    expect(short.respond(1, "gzip, br")).toEqual({
      body: Buffer.from('{"jsonrpc":"2.0","result":{"a":1},"id":1}'),
      coding: undefined,
    });
  });
});
