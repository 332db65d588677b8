import { randomInt } from "node:crypto";
import { pinDigits } from "../../../contract/door-links.js";
import { hashOf, type SecretHash } from "../../access/api-key.js";
import { randomToken } from "../../infra/ids.js";

/** What opens the door: the token is in the link, the PIN is told separately. Only hashes are stored. */
export type DoorSecrets = { token: string; pin: string; tokenHash: SecretHash; pinHash: SecretHash };

export function createDoorSecrets(): DoorSecrets {
  const token = randomToken();
  const pin = String(randomInt(10 ** pinDigits)).padStart(pinDigits, "0");
  return { token, pin, tokenHash: hashOf(token), pinHash: hashOfDoorPin(token, pin) };
}

/** With the token, which is not stored: whoever reads the database cannot try all PINs. */
export const hashOfDoorPin = (token: string, pin: string): SecretHash => hashOf(`${token} ${pin}`);
