import { randomBytes } from "node:crypto";

/**
 * An idempotency key that says when it was made: a uuid of version 7 (RFC 9562). A preview suggests one, so that a commit
 * with it can be told what has happened since.
 */
export function timedKey(now = Date.now()): string {
  const random = randomBytes(10).toString("hex");
  const time = now.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6, 18)}`;
}

const pattern = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Undefined for a key of another kind, or of a time that is still to come. */
export function timeOfKey(key: string, now = Date.now()): number | undefined {
  const [, high, low] = pattern.exec(key) ?? [];
  const time = Number.parseInt(`${high}${low}`, 16);
  return time <= now ? time : undefined;
}
