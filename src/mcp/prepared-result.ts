import { brotliCompressSync, constants, crc32, deflateRawSync } from "node:zlib";
import { acceptedCoding } from "../infra/compress.js";
import type { Coding } from "../infra/etag.js";
import { minimumBytes } from "../infra/representation.js";
import type { Era, Id } from "./protocol.js";
import { resultHead } from "./results.js";

/** A result that is the same for many requests. Its response for one of them differs only in the id, which comes last. */
export type PreparedResult = {
  respond(id: Id, acceptEncoding: string | undefined): { body: Buffer; coding: Coding | undefined };
};

/**
 * Encodes a result once, and compresses it once per coding, when it is first asked for. Both formats allow a block that is
 * not compressed after any other, so the end of the body, with the id, is appended as one.
 */
export function prepareResult(era: Era, fields: string): PreparedResult {
  const head = Buffer.from(resultHead(era, fields));
  const codings = { br: prepareBrotli(head), gzip: prepareGzip(head) };
  return {
    respond(id, acceptEncoding) {
      const tail = Buffer.from(`${JSON.stringify(id)}}`);
      const isWorthwhile = head.length + tail.length > minimumBytes && tail.length <= maximumTailBytes;
      const coding = isWorthwhile ? acceptedCoding(acceptEncoding) : undefined;
      return { body: coding === undefined ? Buffer.concat([head, tail]) : codings[coding](tail), coding };
    },
  };
}

/** Longer ids are possible, and so unusual that their responses are sent as they are. A block can have 65,535 bytes. */
const maximumTailBytes = 1_024;

type WithTail = (tail: Buffer) => Buffer;

/** More effort than for a body that is compressed for one response: less than 1 ms for the longest list. */
const quality = { br: 6, gzip: 9 };

function prepareBrotli(head: Buffer): WithTail {
  const compressed = once(() =>
    brotliCompressSync(head, {
      params: { [constants.BROTLI_PARAM_QUALITY]: quality.br },
      finishFlush: constants.BROTLI_OPERATION_FLUSH,
    }),
  );
  return (tail) => {
    // RFC 7932, section 9.2: not the last, a length of four nibbles, not compressed; then an empty last meta-block.
    const header = Buffer.alloc(3);
    header.writeUIntLE(((tail.length - 1) << 3) | (1 << 19), 0, 3);
    return Buffer.concat([compressed(), header, tail, emptyLastMetaBlock]);
  };
}

const emptyLastMetaBlock = Buffer.from([0b11]);

function prepareGzip(head: Buffer): WithTail {
  const compressed = once(() =>
    Buffer.concat([gzipHeader, deflateRawSync(head, { level: quality.gzip, finishFlush: constants.Z_SYNC_FLUSH })]),
  );
  const headCrc = once(() => crc32(head));
  return (tail) => {
    // RFC 1951, section 3.2.4: the last block, stored. RFC 1952, section 2.3.1: checksum and length of the whole body.
    const header = Buffer.alloc(5);
    header.writeUInt8(1);
    header.writeUInt16LE(tail.length, 1);
    header.writeUInt16LE(tail.length ^ 0xffff, 3);
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(crc32(tail, headCrc()));
    trailer.writeUInt32LE(head.length + tail.length, 4);
    return Buffer.concat([compressed(), header, tail, trailer]);
  };
}

/** Deflate, no name, no time, an unknown file system. */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
