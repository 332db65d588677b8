import { hashPassword as hash, verifyPassword as verify } from "better-auth/crypto";
import pLimit from "p-limit";
import { ServiceError } from "../platform/errors.js";

// A hash takes about 50 ms of a thread that drawing and compression use too, and 32 MB.
const concurrentHashes = 2;
const waitingHashes = 40;

const limit = pLimit(concurrentHashes);

/** scrypt with a random salt, as better-auth stores it. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password));
}

export function verifyPassword(given: { hash: string; password: string }): Promise<boolean> {
  return inTurn(() => verify(given));
}

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (limit.pendingCount >= waitingHashes) {
    throw new ServiceError("unavailable", "Too many people sign in at this moment. Try again in a few seconds", {
      retryAfterSeconds: 5,
    });
  }
  return limit(work);
}
