import type { Role } from "./roles.js";
import type { Scope } from "./scopes.js";

/** How a caller was authenticated. Sessions of signed-in people and connected apps become further kinds. */
export type Credential = {
  kind: "key";
  keyId: string;
  keyName: string;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
};

/** Who makes a request. `userId` is the user that the credential acts for; keys of operators act for nobody. */
export type Caller = { via: Credential } & (
  | { tier: "super-admin"; userId: string | null }
  | { tier: "conference"; conferenceId: string; userId: string | null }
  | { tier: "organization"; organizationId: string; userId: string; scopes: Scope[]; role: Role }
);

export type OrganizationCaller = Extract<Caller, { tier: "organization" }>;

/** An operator at the command line: has the database itself, and no tier. */
export type Operator = { via: { kind: "command_line" }; name: string };

/** Whoever a change is recorded for. */
export type Actor = Caller | Operator;

/** What each tier of key is for, as the API description states it. */
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
