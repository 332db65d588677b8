import { z } from "zod";
import { line, storable, timestamp, uuid } from "../schema/fields.js";
import { keyScopes } from "../schema/keys.js";
import { memberRole } from "../schema/organizations.js";
import { givenPassword } from "../schema/users.js";
import { scopes } from "../scopes.js";
import { byId, namedOrganization } from "./parts.js";

const token = z.object({ token: z.string().max(100) });

const givenEmail = z
  .string({ error: "expected an e-mail address" })
  .min(1)
  .max(254)
  .refine(storable, { error: "expected an e-mail address" });

const person = z.object({ id: uuid, name: z.string(), email: z.string(), platform_admin: z.boolean() });

/** An organization of the signed-in person. */
const joinedOrganization = namedOrganization.extend({
  role: memberRole,
  logo_url: z.string().nullable(),
  brand_primary_color: z.string().nullable(),
  /** When the person last looked at its dashboard, in any browser. */
  visited_at: timestamp.nullable(),
});

const session = z.object({
  person: person.nullable(),
  organizations: z.array(joinedOrganization),
  /** How visitors can sign in without a password, and whether a link for a new one can be mailed. */
  sign_in: z.object({ oidc: z.object({ label: z.string() }).nullable(), mail: z.boolean() }),
  version: z.string(),
  /** The address of this installation, without a path: what apps are given. */
  public_url: z.string(),
});

/** What the link of an invitation shows to whoever opens it. */
const invitation = z.object({
  email: z.string(),
  organization: z.object({ name: z.string(), slug: z.string(), logo_url: z.string().nullable() }).nullable(),
  role: memberRole.nullable(),
  platform_admin: z.boolean(),
  invited_by: z.string(),
  expires_at: timestamp,
  has_account: z.boolean(),
});

const accountSession = z.object({
  id: uuid,
  created_at: timestamp,
  last_used_at: timestamp,
  expires_at: timestamp,
  user_agent: z.string(),
  ip_address: z.string(),
  current: z.boolean(),
});

const requestUid = z.object({ uid: z.string().regex(/^[\w-]{10,60}$/, "expected the id of a request") });

const connectRequest = z.object({
  app: z.object({
    name: z.string(),
    /** The host of the page that describes the app, if there is one: it vouches for the rest. */
    described_by: z.string().nullable(),
    logo_url: z.string().nullable(),
    /** Where the browser goes with the decision: a host, an address on this computer, or an app by its scheme. */
    returns_to: z.object({ kind: z.enum(["site", "computer", "app"]), name: z.string() }),
  }),
  scopes: z.array(z.enum(scopes)),
  /** Those of the person, each with the scopes that the person's role can use there. */
  organizations: z.array(
    z.object({ id: uuid, slug: z.string(), name: z.string(), role: memberRole, scopes: z.array(z.enum(scopes)) }),
  ),
});

const connectDecision = z.discriminatedUnion("decision", [
  z.strictObject({ decision: z.literal("deny") }),
  z.strictObject({
    decision: z.literal("allow"),
    organization: uuid,
    scopes: keyScopes,
    /** As the page showed it. */
    app_name: z.string().max(200),
  }),
]);

export const accountOperations = {
  /** Who is signed in, and how visitors can sign in. */
  session: { response: session },
  signIn: { body: z.strictObject({ email: givenEmail, password: givenPassword }), response: session },
  signOut: {},
  /** Go to the issuer to sign in. */
  startOidc: { query: z.object({ return_to: z.string().max(1000).default("/") }) },
  /** Come back from the issuer. */
  finishOidc: { query: z.object({}).catchall(z.string({ error: "expected one value" }).max(4000)) },
  /** Mail a link for a new password, if the e-mail is known. */
  requestReset: { body: z.strictObject({ email: givenEmail }) },
  /** Whose password a link resets. */
  reset: { params: token, response: z.object({ email: z.string() }) },
  resetPassword: { params: token, body: z.strictObject({ password: givenPassword }) },
  invitation: { params: token, response: invitation },
  /** Accept an invitation and sign in. */
  acceptInvitation: {
    params: token,
    body: z.strictObject({ name: line(200).optional(), password: givenPassword.optional() }),
    response: session,
  },
  /** Where an app sends the browser of the person that it wants to be connected by. */
  openConnectRequest: { params: requestUid },
  /** What the person decides about. */
  connectRequest: { params: requestUid, response: connectRequest },
  decideConnectRequest: {
    params: requestUid,
    body: connectDecision,
    response: z.object({ redirect_to: z.string() }),
  },
  /** Where the person is signed in. */
  accountSessions: { response: z.object({ sessions: z.array(accountSession) }) },
  revokeSession: { params: byId },
  /** Change the person's password and end their other sessions. */
  changePassword: { body: z.strictObject({ current_password: givenPassword, new_password: givenPassword }) },
  changeProfile: { body: z.strictObject({ name: line(200) }) },
};

export type Session = z.output<typeof session>;
export type Person = z.output<typeof person>;
export type Organization = z.output<typeof joinedOrganization>;
export type ShownInvitation = z.output<typeof invitation>;
export type AccountSession = z.output<typeof accountSession>;
export type ConnectRequest = z.output<typeof connectRequest>;
export type ConnectDecision = z.output<typeof connectDecision>;
