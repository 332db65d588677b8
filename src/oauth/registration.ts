import { z } from "zod";
import { storable, unstorable } from "../../contract/schema/fields.js";
import type { Scope } from "../../contract/scopes.js";

/**
 * What an app says of itself when it registers. What the service does not use is left out, so that a registration is small and
 * has no secret. What it may do is asked for with each request. An app that asks for one is registered without, and told so by the response, as RFC 7591 allows.
 */
const text = (maximum: number) => z.string().max(maximum).refine(storable, { error: unstorable });

const registration = z.object({
  redirect_uris: z.array(text(500)).min(1).max(20),
  client_name: text(200).optional(),
  client_uri: text(500).optional(),
  application_type: z.enum(["web", "native"]).optional(),
  grant_types: z.array(text(100)).max(10).optional(),
  response_types: z.array(text(100)).max(10).optional(),
});

/** The grants that the service has; an app may name others too. */
const grantTypes = ["authorization_code", "refresh_token"];

/** The body that the authorization server is given, or what is wrong with it. */
export function readRegistration(body: unknown): { metadata: object } | { problem: string } {
  const { success, data, error } = registration.safeParse(body);
  if (!success) {
    const [issue] = error.issues;
    return { problem: `${issue?.path.join(".") || "body"}: ${issue?.message ?? "is not valid"}` };
  }
  const { grant_types: _, response_types: __, ...kept } = data;
  return {
    metadata: {
      ...kept,
      // Without a type it is one on the person's device, whose redirects may use any port there, or a scheme of their own.
      application_type: kept.application_type ?? "native",
      token_endpoint_auth_method: "none",
      grant_types: grantTypes,
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
