import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { type Coding, codings } from "./etag.js";
import type { Representation } from "./representation.js";

/** The compression threads are shared with the file system and name look-ups. */
const maximumConcurrent = 4;

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/** The lowest levels: higher ones cost up to 300 times as much CPU and save few more bytes (docs/decisions/http-bodies.md). */
const compressors: Record<Coding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) =>
    brotliAsync(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
    }),
  gzip: (body) => gzipAsync(body, { level: 1 }),
};

export type Compressed = { body: Buffer; coding: Coding | undefined };

export type Compressor = (
  representation: Pick<Representation, "body" | "compressible" | "compressed">,
  acceptEncoding: string | undefined,
) => Promise<Compressed>;

/** Compresses text for clients that accept it. While too many are being compressed, bodies are sent as they are. */
export function createCompressor(limit = maximumConcurrent): Compressor {
  let running = 0;
  return async ({ body, compressible, compressed }, acceptEncoding) => {
    const coding = compressible ? acceptedCoding(acceptEncoding) : undefined;
    if (coding === undefined) return { body, coding };
    const known = compressed.get(coding);
    if (known !== undefined) return { body: await known, coding };
    if (running >= limit) return { body, coding: undefined };
    running += 1;
    try {
      const made = compressors[coding](body);
      compressed.set(coding, made);
      return { body: await made, coding };
    } catch (error) {
      compressed.delete(coding);
      throw error;
    } finally {
      running -= 1;
    }
  };
}

/** The coding with the highest weight; of equal ones the first that we list. */
export function acceptedCoding(header: string | undefined): Coding | undefined {
  if (header === undefined) return undefined;
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  const weightOf = (coding: Coding) => weights.get(coding) ?? weights.get("*") ?? 0;
  const best = codings.reduce((a, b) => (weightOf(b) > weightOf(a) ? b : a));
  return weightOf(best) > 0 && weightOf(best) >= (weights.get("identity") ?? 0) ? best : undefined;
}
