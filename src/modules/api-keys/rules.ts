import { ServiceError } from "../../../contract/errors.js";
import type { Scope } from "../../../contract/scopes.js";
import { maximumActiveKeys, type OrganizationKey } from "../../access/organization-keys.js";

/** A key that a change adds. The raw key is no part of it. */
export type AddedKey = {
  id: string | null;
  prefix: string | null;
  name: string;
  scopes: Scope[];
  created_by: string;
  created_by_email: string;
  expires_at: string | null;
};

export function addedKey(key: OrganizationKey | undefined): AddedKey | null {
  if (key === undefined) return null;
  const { id, prefix, name, scopes, created_by, created_by_email, expires_at } = key;
  return { id, prefix, name, scopes, created_by, created_by_email, expires_at };
}

type Creator = { id: string; email: string };

export function newKey(name: string, scopes: Scope[], { id, email }: Creator): AddedKey {
  return { id: null, prefix: null, name, scopes, created_by: id, created_by_email: email, expires_at: null };
}

export function requireRoomFor(activeKeys: number, advice: string): void {
  if (activeKeys <= maximumActiveKeys) return;
  throw new ServiceError("conflict", `An organization has at most ${maximumActiveKeys} keys that work: ${advice}`);
}

/** What becomes of a key that is replaced: it is revoked, or expires at `keptUntil` at the latest. */
export function replacedKey(old: OrganizationKey, keptUntil: string | null): OrganizationKey {
  if (old.state === "revoked") {
    throw new ServiceError("conflict", "This key was revoked: create a new key instead of replacing it");
  }
  if (old.replaced_at !== null) {
    throw new ServiceError("conflict", "This key was already replaced: rotate the key that replaced it");
  }
  if (old.state === "expired") return old;
  if (keptUntil === null) return { ...old, state: "revoked" };
  return { ...old, expires_at: keptUntil < old.expires_at ? keptUntil : old.expires_at };
}
