import { randomBytes } from "node:crypto";

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** 32 random bytes in base62, always 43 characters. */
export function randomToken(): string {
  let value = BigInt(`0x${randomBytes(32).toString("hex")}`);
  let token = "";
  for (let i = 0; i < 43; i++) {
    token = base62[Number(value % 62n)] + token;
    value /= 62n;
  }
  return token;
}

export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
