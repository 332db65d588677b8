import type { Warning } from "../../runner/warnings.js";

/** For rights that go to an account which somebody other than the owner of its address may use. */
export function addressUnverified(email: string, path: string): Warning {
  const message = `Nobody has verified that ${email} belongs to the person who uses this account: whoever invited them has seen the link. Let them sign in with OpenID Connect or use "Forgot password?" first`;
  return { code: "address_unverified", message, path };
}
