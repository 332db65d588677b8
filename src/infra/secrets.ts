/** How the API keys of this service begin. */
export const keyPrefix = "svc_mk_";

/** How the tokens of connected apps begin. */
export const tokenPrefix = "svc_at_";
export const refreshTokenPrefix = "svc_rt_";

/** API keys and tokens, also in part, and the keys of guests on the ticketing platform. */
const secrets = new RegExp(`(?:${keyPrefix}|${tokenPrefix}|${refreshTokenPrefix})\\w*|\\bg-[0-9A-Za-z]{8,}`, "g");

/** For texts of callers that are logged or sent back. */
export function withoutSecrets(text: string): string {
  return text.replaceAll(secrets, "[redacted]");
}
