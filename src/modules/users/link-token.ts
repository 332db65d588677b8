import { hashOf, type SecretHash } from "../../access/api-key.js";
import { randomToken } from "../../infra/ids.js";

/** The secret part of a link that works once. Only its hash is stored. */
export type LinkToken = { token: string; hash: SecretHash };

const pattern = /^[0-9A-Za-z]{43}$/;

export function createLinkToken(): LinkToken {
  const token = randomToken();
  return { token, hash: hashOf(token) };
}

/** Undefined for text that cannot be a token. */
export function hashOfLinkToken(token: string): SecretHash | undefined {
  return pattern.test(token) ? hashOf(token) : undefined;
}
