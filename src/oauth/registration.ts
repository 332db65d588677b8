import { z } from "zod";
import { storable, unstorable } from "../../contract/schema/fields.js";
import type { Scope } from "../../contract/scopes.js";
import { isLoopbackHost, parseUrl } from "../../contract/urls.js";

const text = (maximum: number) => z.string().max(maximum).refine(storable, { error: unstorable });

/**
 * What an app says of itself when it registers. What the service does not use is left out: scopes, which an app asks for with
 * each request, and how it wants to authenticate. An app that wants a secret is registered without one, and the response says
 * so, as RFC 7591 allows.
 */
const registration = z.object({
  redirect_uris: z
    .array(
      text(500).refine(isProtected, {
        error: "expected https, an address on the person's computer, or a scheme of the app",
      }),
    )
    .min(1)
    .max(20),
  client_name: text(200).optional(),
  client_uri: text(500).optional(),
  application_type: z.enum(["web", "native"]).optional(),
});

/** A code is not sent over a network without encryption. */
export function isProtected(redirect: string): boolean {
  const url = parseUrl(redirect);
  return url !== undefined && (url.protocol !== "http:" || isLoopbackHost(url.hostname));
}

/** The body that the authorization server is given, or what is wrong with it. */
export function readRegistration(body: unknown): { metadata: object } | { problem: string } {
  const { success, data, error } = registration.safeParse(body);
  if (!success) {
    const [issue] = error.issues;
    return { problem: `${issue?.path.join(".") || "body"}: ${issue?.message ?? "is not valid"}` };
  }
  return {
    metadata: {
      ...data,
      // Without a type it is one on the person's device, whose redirects may use any port there, or a scheme of their own.
      application_type: data.application_type ?? "native",
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    },
  };
}

/** An unknown scope is ignored. Without a known one, an app is offered all. */
export function knownScopes(text: string | undefined, scopes: readonly Scope[]): string {
  const wanted = new Set(text?.split(/\s+/));
  const known = scopes.filter((scope) => wanted.has(scope));
  return (known.length === 0 ? scopes : known).join(" ");
}
