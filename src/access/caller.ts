import type { Role } from "../../contract/roles.js";
import type { Scope } from "../../contract/scopes.js";

type KeyCredential = {
  kind: "key";
  keyId: string;
  keyName: string;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
};

/** A token of an app that a person has connected by signing in. `appName` is what the app called itself then. */
export type AppCredential = {
  kind: "app";
  appId: string;
  appName: string;
  lastUsedAt: Date | null;
};

/** The session of a person who is signed in to the console. */
type SessionCredential = { kind: "session"; sessionId: string };

/** A link for the door of one event, which a volunteer has opened. */
type DoorCredential = { kind: "door"; linkId: string };

/** How a caller was authenticated. */
type Credential = KeyCredential | AppCredential | SessionCredential | DoorCredential;

type Access =
  | { tier: "super-admin"; userId: string | null }
  | { tier: "conference"; conferenceId: string; userId: string | null }
  | { tier: "organization"; organizationId: string; userId: string; scopes: Scope[]; role: Role };

/** Who makes a request. `userId` is the user that the credential acts for; keys of operators act for nobody. */
export type Caller = { via: Credential } & Access;

export type KeyCaller = { via: KeyCredential } & Access;

/** Somebody who sends a key or a token with each request. */
export type BearerCaller = { via: KeyCredential | AppCredential } & Access;

export type OrganizationCaller = Extract<Caller, { tier: "organization" }>;

/** A platform administrator who is signed in to the console. */
export type PlatformCaller = { via: SessionCredential; tier: "super-admin"; userId: string };

/** An operator at the command line: has the database itself, and no tier. */
export type Operator = { via: { kind: "command_line" }; name: string };

/** A person who changes their own account, signed in or with a link that was given to them. */
type AccountHolder = { via: { kind: "account" }; userId: string };

/** Somebody of another organization than the one that a record is for, who is not named there. */
type UnnamedActor = { via: { kind: "key" | "app" | "console" }; name: null };

/** Whoever a change is recorded for. */
export type Actor = Caller | AccountHolder | Operator | UnnamedActor;

/** What each tier of key is for, as the API description states it. `createdOn` is the console's page for it. */
export const tiers = {
  "super-admin": {
    access: "all conferences and events",
    createdBy: "platform administrators, in the console",
    createdOn: "/admin/keys",
  },
  conference: {
    access: "one conference and its events",
    createdBy: "platform administrators on request, in the console",
    createdOn: "/admin/keys",
  },
  organization: {
    access:
      "events where the organization is host or co-host, across conferences; also the ticketing proxy and the MCP endpoint",
    createdBy: "organization owners, on the organization's API-keys page",
    createdOn: "/o/{organization}/settings/keys",
  },
} as const satisfies Record<Caller["tier"], { access: string; createdBy: string; createdOn: string }>;

export type Tier = keyof typeof tiers;

/** Whom changes of a person's own account are recorded for. */
export function accountHolder(userId: string): AccountHolder {
  return { via: { kind: "account" }, userId };
}
