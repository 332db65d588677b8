import type { OidcProblem } from "../../../../contract/oidc-problems.ts";

const messages: Record<OidcProblem, string> = {
  oidc_unavailable: "The sign-in service cannot be reached. Try again later, or sign in with your password.",
  oidc_expired: "That took too long, or your browser does not keep cookies. Start again.",
  oidc_failed:
    "The sign-in service refused, or its answer was not valid. Try again, and tell an administrator if it stays so.",
  oidc_unverified: "The sign-in service has not verified your e-mail address. Verify it there, then try again.",
  oidc_unknown: "Nobody here has your e-mail address. Ask an owner of your organization to invite you.",
  oidc_other_account:
    "Your e-mail address belongs to a person here who signs in with another account. Ask an administrator of this platform: if the address was somebody else’s before, they remove that person and invite you; if it was always yours, they end the old link.",
};

/** Why signing in elsewhere failed, in words; undefined if it did not. */
export function oidcProblem(code: string | undefined): string | undefined {
  if (code === undefined) return undefined;
  return Object.hasOwn(messages, code) ? messages[code as OidcProblem] : messages.oidc_failed;
}
