import type { IncomingHttpHeaders } from "node:http";
import type { Provider } from "oidc-provider";
import { connectProblems } from "../../contract/connect-problems.js";
import type { ConnectDecision, ConnectRequest } from "../../contract/console/account.js";
import { ServiceError } from "../../contract/errors.js";
import type { Role } from "../../contract/roles.js";
import { type Scope, scopes } from "../../contract/scopes.js";
import { isLoopbackHost, parseUrl } from "../../contract/urls.js";
import type { OrganizationCaller } from "../access/caller.js";
import { type Person, requireMembership } from "../access/session.js";
import type { Database } from "../infra/database/db.js";
import { connectApp } from "../modules/connected-apps/store.js";
import { listOrganizationsOf } from "../modules/organizations/store.js";
import { scopesForTools } from "../runner/availability.js";
import type { Tool } from "../runner/mutation.js";
import { decisionCookie } from "./authorization-server.js";
import { isProtected } from "./registration.js";

type Interaction = InstanceType<Provider["Interaction"]>;
type Client = InstanceType<Provider["Client"]>;

export type Consent = {
  /** What the page shows. */
  show(uid: string, cookie: string | undefined, person: Person): Promise<ConnectRequest>;
  /** Where the browser goes with the decision. */
  decide(uid: string, cookie: string | undefined, person: Person, decision: ConnectDecision): Promise<string>;
};

export type ConsentOptions = {
  db: Database;
  baseUrl: string;
  provider: () => Promise<Provider>;
  tools: readonly Pick<Tool, "scope" | "role">[];
};

/** Requests of apps to be connected, and what people decide about them. */
export function createConsent({ db, baseUrl, provider, tools }: ConsentOptions): Consent {
  /**
   * Only the browser that began a request may decide about it: a link to somebody else's request would connect that person's
   * app to the account of whoever opens it.
   */
  async function find(uid: string, cookie: string | undefined) {
    const server = await provider();
    const interaction = hasCookie(cookie, uid) ? await server.Interaction.find(uid) : undefined;
    const clientId = interaction?.params.client_id;
    const client = typeof clientId === "string" ? await server.Client.find(clientId) : undefined;
    const redirect = interaction?.params.redirect_uri;
    if (interaction === undefined || client === undefined || typeof redirect !== "string") {
      throw new ServiceError("not_found", connectProblems.expired);
    }
    if (interaction.result !== undefined) throw new ServiceError("conflict", connectProblems.expired);
    // A description may have changed since the request began, and may have any address.
    if (!client.redirectUriAllowed(redirect) || !isProtected(redirect))
      throw new ServiceError("conflict", connectProblems.wrong_address);
    return { interaction, client, app: describedApp(client, redirect) };
  }

  const usable = (role: Role): Scope[] => scopesForTools(tools, role);

  return {
    async show(uid, cookie, person) {
      const { interaction, app } = await find(uid, cookie);
      const organizations = await listOrganizationsOf(db, person.userId, baseUrl);
      return {
        app,
        scopes: requestedScopes(interaction),
        organizations: organizations.map(({ id, name, slug, role }) => ({
          id,
          name,
          slug,
          role,
          scopes: usable(role),
        })),
      };
    },
    async decide(uid, cookie, person, decision) {
      const { interaction, client, app } = await find(uid, cookie);
      if (decision.decision === "deny") {
        return finish(interaction, { error: "access_denied", error_description: "The person declined the request" });
      }
      if (decision.app_name !== app.name) {
        throw new ServiceError("conflict", "The app has changed its name meanwhile: look at the request again");
      }
      const { caller } = await requireMembership(db, person, decision.organization, "member");
      const scopes = grantedScopes(decision.scopes, requestedScopes(interaction), usable(caller.role), caller);
      const grantId = await connectApp(db, caller, { clientId: client.clientId, name: app.name, scopes });
      return finish(interaction, { login: { accountId: person.userId, remember: false }, consent: { grantId } });
    },
  };
}

/** The decision is kept with the request; the browser continues with it where the request began. */
async function finish(interaction: Interaction, result: Interaction["result"]): Promise<string> {
  if (result !== undefined) interaction.result = result;
  await interaction.save(Math.max(1, interaction.exp - Math.floor(Date.now() / 1000)));
  return new URL(interaction.returnTo).pathname;
}

function hasCookie(header: IncomingHttpHeaders["cookie"], uid: string): boolean {
  return header?.split(/; */).includes(`${decisionCookie}=${uid}`) ?? false;
}

function requestedScopes({ params }: Interaction): Scope[] {
  const wanted = new Set(String(params.scope ?? "").split(" "));
  return scopes.filter((scope) => wanted.has(scope));
}

function grantedScopes(
  chosen: readonly Scope[],
  requested: readonly Scope[],
  usable: readonly Scope[],
  { role }: OrganizationCaller,
): Scope[] {
  const other = chosen.find((scope) => !requested.includes(scope));
  if (other !== undefined) throw new ServiceError("invalid_input", `scopes: the app did not ask for ${other}`);
  const above = chosen.find((scope) => !usable.includes(scope));
  if (above !== undefined) {
    throw new ServiceError("forbidden", `scopes: no tool that needs ${above} is open to the role ${role}`);
  }
  return scopes.filter((scope) => chosen.includes(scope));
}

const longestName = 60;

/** Apps choose their names: what could hide or reorder text around them is left out. */
function shownName(name: string | undefined): string | undefined {
  const plain = name
    ?.normalize("NFC")
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]+/gu, "")
    .replaceAll(/(\p{M}{2})\p{M}+/gu, "$1")
    .replaceAll(/\s+/gu, " ")
    .trim();
  if (plain === undefined || !/[\p{L}\p{N}]/u.test(plain)) return undefined;
  const characters = [...plain];
  return characters.length > longestName ? `${characters.slice(0, longestName).join("")}…` : plain;
}

/** Of an app that is described at a URL, the host of that URL vouches for what it says; nothing does for others. */
function describedApp(client: Client, redirect: string): ConnectRequest["app"] {
  const description = /^https:/i.test(client.clientId) ? parseUrl(client.clientId) : undefined;
  const { clientName, logoUri } = client as { clientName?: string; logoUri?: string };
  const logo = description === undefined ? undefined : parseUrl(logoUri ?? "");
  return {
    name: shownName(clientName) ?? description?.host ?? "An app without a name",
    described_by: description?.host ?? null,
    // From elsewhere, it would tell a third party who is asked.
    logo_url: logo?.protocol === "https:" && logo.host === description?.host ? logo.href : null,
    returns_to: returnsTo(redirect),
  };
}

function returnsTo(redirect: string): ConnectRequest["app"]["returns_to"] {
  const url = new URL(redirect);
  if (url.protocol !== "https:" && url.protocol !== "http:") return { kind: "app", name: url.protocol.slice(0, -1) };
  return isLoopbackHost(url.hostname) ? { kind: "computer", name: url.host } : { kind: "site", name: url.host };
}
