import type { Configuration } from "openid-client";
import { messageOf } from "../../contract/errors.js";
import type { Log } from "../infra/observability/log.js";

export type OidcClient = { issuer: string; clientId: string; clientSecret: string };

/** What is sent to the issuer and compared with what comes back. */
export type OidcSecrets = { state: string; nonce: string; verifier: string };

/** The e-mail is there if the issuer has verified it. */
export type OidcIdentity = { subject: string; email: string | undefined };

export type OidcIssuer = {
  /** The page at the issuer that asks the person to sign in; undefined if the issuer cannot be reached. */
  authorizationPage(): Promise<{ url: string; secrets: OidcSecrets } | undefined>;
  /** Exchanges the code that the browser brought back. Throws for anything that is not as it must be. */
  identify(query: URLSearchParams, secrets: OidcSecrets): Promise<OidcIdentity>;
};

const timeoutSeconds = 10;

/** The issuer's configuration is read once; a failure is not remembered. */
export function createOidcIssuer(client: OidcClient, redirectUri: string, log: Log): OidcIssuer {
  let discovered: Promise<Configuration> | undefined;

  async function findIssuer(): Promise<Configuration | undefined> {
    discovered ??= discoverIssuer(client);
    try {
      return await discovered;
    } catch (error) {
      discovered = undefined;
      log.warn({ reason: messageOf(error).slice(0, 300) }, "the issuer of OIDC_ISSUER cannot be used");
      return undefined;
    }
  }

  return {
    async authorizationPage() {
      const oidc = await import("openid-client");
      const issuer = await findIssuer();
      if (issuer === undefined) return undefined;
      const verifier = oidc.randomPKCECodeVerifier();
      const secrets = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier };
      const url = oidc.buildAuthorizationUrl(issuer, {
        redirect_uri: redirectUri,
        scope: "openid email profile",
        state: secrets.state,
        nonce: secrets.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      });
      return { url: url.href, secrets };
    },
    async identify(query, { state, nonce, verifier }) {
      const { authorizationCodeGrant, fetchUserInfo } = await import("openid-client");
      const issuer = await findIssuer();
      if (issuer === undefined) throw new Error("the issuer cannot be used");
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
      const tokens = await authorizationCodeGrant(issuer, new URL(`${redirectUri}?${query}`), checks);
      const claims = tokens.claims();
      if (claims === undefined) throw new Error("the issuer sent no ID token");
      const info = claims.email === undefined ? await fetchUserInfo(issuer, tokens.access_token, claims.sub) : claims;
      const email = info.email_verified === true && typeof info.email === "string" ? info.email : undefined;
      return { subject: claims.sub, email };
    },
  };
}

/** Reads the issuer's configuration. Throws if it cannot be reached, or is not the one of this issuer. */
export async function discoverIssuer(client: OidcClient): Promise<Configuration> {
  const { discovery, allowInsecureRequests, enableNonRepudiationChecks } = await import("openid-client");
  const issuer = new URL(client.issuer);
  // Signatures are checked too, which the library leaves to TLS otherwise. Only an issuer on this machine may be without
  // TLS: see config.ts.
  const execute = [enableNonRepudiationChecks, ...(issuer.protocol === "http:" ? [allowInsecureRequests] : [])];
  const found = await discovery(issuer, client.clientId, client.clientSecret, undefined, {
    timeout: timeoutSeconds,
    execute,
  });
  // The library takes URLs that mean the same for equal, but people are linked with the issuer by its name.
  const { issuer: named } = found.serverMetadata();
  if (named !== client.issuer) throw new Error(`its configuration names the issuer ${named}, not ${client.issuer}`);
  return found;
}
