import { createHash } from "node:crypto";
import { ServiceError } from "../../contract/errors.js";
import { networkOf } from "../infra/network-of.js";
import type { RateLimits } from "../infra/rate-limit.js";

const windowSeconds = 15 * 60;

/** Failed attempts per quarter of an hour. */
export const guessLimits = {
  /** From one address at any e-mail: one password tried on many people. */
  address: 100,
  /** From one address at one e-mail: a person who mistypes. */
  emailAndAddress: 10,
  /** At one e-mail from anywhere: guesses spread over many addresses. */
  email: 50,
};

export type GuessLimits = {
  /** Counts an attempt before it is made; throws rate_limited when there were too many. The result takes it back. */
  attempt(email: string, ip: string): Promise<() => Promise<void>>;
};

export function createGuessLimits(limits: RateLimits, allowed: Partial<typeof guessLimits> = {}): GuessLimits {
  const { address, emailAndAddress, email: perEmail } = { ...guessLimits, ...allowed };
  // The address first: it bounds how many e-mails one address adds to the other two.
  const limiters = [
    {
      limiter: limits.limiter("sign-in-address", address, windowSeconds),
      keyOf: (_: string, network: string) => network,
    },
    {
      limiter: limits.limiter("sign-in-email-address", emailAndAddress, windowSeconds),
      keyOf: (person: string, network: string) => `${person}|${network}`,
    },
    { limiter: limits.limiter("sign-in-email", perEmail, windowSeconds), keyOf: (person: string) => person },
  ];
  return {
    async attempt(email, ip) {
      const person = personOf(email);
      const network = networkOf(ip);
      for (const { limiter, keyOf } of limiters) {
        const verdict = await limiter.consume(keyOf(person, network));
        if (!verdict.allowed) throw tooManyAttempts(verdict.retryAfterSeconds);
      }
      return async () => {
        await Promise.all(limiters.map(({ limiter, keyOf }) => limiter.refund(keyOf(person, network))));
      };
    },
  };
}

/** Hashed: the windows, which Redis may hold, contain no personal data and keys of one length. */
export function personOf(email: string): string {
  return createHash("sha256").update(email.trim().toLowerCase()).digest("base64url").slice(0, 22);
}

export function tooManyAttempts(seconds: number): ServiceError {
  return new ServiceError("rate_limited", `Too many attempts. Try again in ${Math.ceil(seconds / 60)} min`, {
    retryAfterSeconds: seconds,
  });
}
