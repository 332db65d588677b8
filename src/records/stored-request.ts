import { hash } from "node:crypto";

/** A request as it is recorded, in bytes of its JSON text. Records are kept forever, and callers decide how large a request is. */
const maximumBytes = 16 * 1024;
/** Ids and other short values of a large request stay readable for those who look records up by them. */
const maximumKeptBytes = 256;

/**
 * The request as JSON text. Of one that is too large: its short values, and in `truncated` its digest and length. A part of it
 * could hold a person's data apart from the address by which an erasure finds it.
 */
export function storedRequest(request: Record<string, unknown>): string {
  const json = JSON.stringify(request);
  const bytes = Buffer.byteLength(json);
  if (bytes <= maximumBytes) return json;
  const kept = Object.entries(request).filter(
    ([, value]) => value !== undefined && Buffer.byteLength(JSON.stringify(value)) <= maximumKeptBytes,
  );
  const truncated = { sha256: hash("sha256", json, "hex"), bytes };
  return JSON.stringify({ ...Object.fromEntries(kept), truncated });
}
