/**
 * Reads one response at a time from the bytes of a connection, whose buffer is used again for the next bytes: they are
 * copied only if bodies are kept.
 */
export type ResponseReader = {
  /** True when the response is complete. */
  read(chunk: Buffer): boolean;
  status(): number;
  /** The end of the response, or all of it if bodies are kept. */
  text(): string;
};

const endOfHeaders = Buffer.from("\r\n\r\n");
const endOfChunks = Buffer.from("0\r\n\r\n");

export function createResponseReader(keepBodies: boolean): ResponseReader {
  let kept: Buffer[] = [];
  let head: Buffer | undefined;
  /** Bytes of the body that are missing; Infinity while the end of chunked content is. */
  let missing = -1;
  let status = 0;
  return {
    read(chunk) {
      if (missing > 0) {
        if (keepBodies) kept.push(Buffer.from(chunk));
        else kept = [chunk];
        missing = missing === Infinity ? (endsWith(chunk, endOfChunks) ? 0 : Infinity) : missing - chunk.length;
      } else {
        const bytes: Buffer = head === undefined ? chunk : Buffer.concat([head, chunk]);
        const end = bytes.indexOf(endOfHeaders);
        kept = [keepBodies ? Buffer.from(bytes) : bytes];
        head = end < 0 ? Buffer.from(bytes) : undefined;
        if (end < 0) return false;
        status = Number(bytes.toString("latin1", 9, 12));
        missing = missingAfter(bytes, end, status);
      }
      if (missing < 0) throw new Error("the server sent more than one response to one request");
      if (missing > 0) return false;
      missing = -1;
      return true;
    },
    status: () => status,
    text: () => Buffer.concat(kept).toString(),
  };
}

function missingAfter(bytes: Buffer, end: number, status: number): number {
  if (status === 304 || status === 204) return 0;
  const headers = bytes.toString("latin1", 0, end).toLowerCase();
  const at = headers.indexOf("\r\ncontent-length:");
  if (at >= 0) return Number.parseInt(headers.slice(at + 17), 10) - (bytes.length - end - 4);
  if (!headers.includes("\r\ntransfer-encoding: chunked")) return 0;
  return endsWith(bytes, endOfChunks) ? 0 : Infinity;
}

function endsWith(bytes: Buffer, end: Buffer): boolean {
  return bytes.length >= end.length && bytes.compare(end, 0, end.length, bytes.length - end.length) === 0;
}
