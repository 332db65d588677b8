/**
 * Keys of queries. Live updates find what to read again by their first parts, so every read of an organization starts with
 * organizationKey, and every read of one event with eventKey.
 */
export const sessionKey = ["session"] as const;

export const organizationKey = (organizationId: string, ...rest: unknown[]) =>
  ["organization", organizationId, ...rest] as const;

export const eventKey = (organizationId: string, eventId: string, ...rest: unknown[]) =>
  ["organization", organizationId, "event", eventId, ...rest] as const;

export const platformKey = (...rest: unknown[]) => ["platform", ...rest] as const;

/** A file of the service. Nothing reads it again: what changes has another address. */
export const fileKey = (path: string | undefined, name: string) => ["file", path, name] as const;

export type LiveChange = { topic: "event" | "organization" | "all"; id: string | null };

/**
 * Whether a change concerns a query. Lists of an organization show its events, so they are read again for each of them; the
 * session has its name, logo and colour.
 */
export function concerns(change: LiveChange, scope: readonly unknown[], key: readonly unknown[]): boolean {
  if (key[0] === sessionKey[0]) return change.topic === "organization";
  if (!scope.every((part, index) => key[index] === part)) return false;
  if (change.topic !== "event" || scope[0] === "platform" || key[2] !== "event") return true;
  return key[3] === change.id;
}
