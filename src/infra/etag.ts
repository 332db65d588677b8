import { hash } from "node:crypto";

/** The codings that a response may have. Each makes its own representation, so that its name is part of the ETag. */
export const codings = ["br", "gzip"] as const;

export type Coding = (typeof codings)[number];

/** What identifies a body, before it is compressed. */
export function digestOf(body: string | Buffer): string {
  return hash("sha1", body, "base64url");
}

/** A strong ETag of the body with this digest. */
export function etagOf(digest: string, coding?: Coding): string {
  return `"${digest}${coding === undefined ? "" : `-${coding}`}"`;
}

/**
 * The first of the listed ETags that names the body with this digest, compressed or not; `*` names any. Weak ETags count
 * only if `weak`.
 */
export function findMatch(list: string, digest: string, weak: boolean): string | undefined {
  const names = ["*", etagOf(digest), ...codings.map((coding) => etagOf(digest, coding))];
  return tagsIn(list, weak).find((candidate) => names.includes(candidate));
}

/** Whether an If-None-Match names this ETag. */
export function namesTag(list: string | undefined, etag: string): boolean {
  return list !== undefined && tagsIn(list, true).includes(etag);
}

function tagsIn(list: string, weak: boolean): string[] {
  return list.split(",").map((part) => (weak ? part.trim().replace(/^W\/"/, '"') : part.trim()));
}
