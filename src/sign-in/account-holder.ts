import type { AccountHolder } from "../access/caller.js";

/** Whom changes of a person's own account are recorded for. */
export function accountHolder(userId: string): AccountHolder {
  return { via: { kind: "account" }, userId };
}
