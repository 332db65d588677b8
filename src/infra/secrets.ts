/** How the API keys of this service begin. */
export const keyPrefix = "svc_mk_";

/** API keys, also in part, and the keys of guests on the ticketing platform. */
const secrets = new RegExp(`${keyPrefix}\\w*|\\bg-[0-9A-Za-z]{8,}`, "g");

/** For texts of callers that are logged or sent back. */
export function withoutSecrets(text: string): string {
  return text.replaceAll(secrets, "[redacted]");
}
