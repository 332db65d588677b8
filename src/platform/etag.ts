import { hash } from "node:crypto";

/** The codings that a response may have. Each makes its own representation, so that its name is part of the ETag. */
export const codings = ["br", "gzip"] as const;

export type Coding = (typeof codings)[number];

/** A strong ETag of a body, before it is compressed. */
export function etagOf(body: string | Buffer, coding?: Coding): string {
  return `"${hash("sha1", body, "base64url")}${coding === undefined ? "" : `-${coding}`}"`;
}

/** The first of the listed ETags that names this body, compressed or not; `*` names any. Weak ETags count only if `weak`. */
export function findMatch(list: string | undefined, body: string | Buffer, weak: boolean): string | undefined {
  if (list === undefined) return undefined;
  const names = new Set(["*", etagOf(body), ...codings.map((coding) => etagOf(body, coding))]);
  return tagsIn(list, weak).find((candidate) => names.has(candidate));
}

/** Whether an If-None-Match names this ETag. */
export function namesTag(list: string | undefined, etag: string): boolean {
  return list !== undefined && tagsIn(list, true).includes(etag);
}

function tagsIn(list: string, weak: boolean): string[] {
  return list.split(",").map((part) => (weak ? part.trim().replace(/^W\/"/, '"') : part.trim()));
}
