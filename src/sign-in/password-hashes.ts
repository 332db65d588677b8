import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import pLimit from "p-limit";
import { ServiceError } from "../../contract/errors.js";

// A hash takes about 50 ms of a thread that drawing and compression use too, and 32 MB.
const concurrentHashes = 2;
const waitingHashes = 40;

const limit = pLimit(concurrentHashes);

/** scrypt's N; its r is 16 and its p is 1. */
const standardCost = 16_384;
const blockSize = 16;
const keyBytes = 64;

/** The cost of new hashes. Tests that are not about hashing lower it. */
export const newHashes = { cost: standardCost };

const derive = promisify(scrypt) as (
  password: string,
  salt: string,
  length: number,
  options: object,
) => Promise<Buffer>;

/** scrypt with a random salt, as `salt:key`, or `cost:salt:key` for another cost than the standard one. */
export async function hashPassword(password: string): Promise<string> {
  const { cost } = newHashes;
  const salt = randomBytes(16).toString("hex");
  const key = (await deriveKey(password, salt, cost)).toString("hex");
  return cost === standardCost ? `${salt}:${key}` : `${cost}:${salt}:${key}`;
}

/** Takes the same time where there is no hash, so that the time does not say who has an account. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  if (hash === undefined) {
    await hashPassword(password);
    return false;
  }
  const [key = "", salt = "", cost = standardCost] = hash.split(":").reverse();
  return timingSafeEqual(await deriveKey(password, salt, Number(cost)), Buffer.from(key, "hex"));
}

async function deriveKey(password: string, salt: string, cost: number): Promise<Buffer> {
  if (limit.pendingCount >= waitingHashes) {
    throw new ServiceError("unavailable", "Too many people sign in at this moment. Try again in a few seconds", {
      retryAfterSeconds: 5,
    });
  }
  const options = { N: cost, r: blockSize, p: 1, maxmem: 256 * cost * blockSize };
  return limit(() => derive(password.normalize("NFKC"), salt, keyBytes, options));
}
