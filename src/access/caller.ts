import type { Role } from "./roles.js";
import type { Scope } from "./scopes.js";

type KeyFacts = {
  keyId: string;
  keyName: string;
  /** The user who made the key; an organization key acts for this user. */
  userId: string | null;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
};

export type Caller = KeyFacts &
  (
    | { tier: "super-admin" }
    | { tier: "conference"; conferenceId: string }
    | { tier: "organization"; organizationId: string; userId: string; scopes: Scope[]; role: Role }
  );

export type OrganizationCaller = Extract<Caller, { tier: "organization" }>;

/** What each tier of key is for, as the API description tells it. */
export const tiers = {
  "super-admin": { access: "all conferences and events", created_by: "platform admins" },
  conference: { access: "one conference and its events", created_by: "platform administrators on request" },
  organization: {
    access:
      "events where the organization is host or co-host, across conferences; also the ticketing proxy and the MCP endpoint",
    created_by: "organization owners, from the organization's API-keys settings page",
  },
} as const satisfies Record<Caller["tier"], { access: string; created_by: string }>;

export type Tier = keyof typeof tiers;
