import type { Database } from "../infra/database/db.js";
import { networkOf } from "../infra/network-of.js";
import type { Log } from "../infra/observability/log.js";
import type { RateLimits } from "../infra/rate-limit.js";
import { createResetLink } from "../modules/users/reset-links.js";
import { findUserByEmail } from "../modules/users/store.js";
import { personOf, tooManyAttempts } from "./guess-limits.js";
import { type Mailer, resetMail } from "./mail.js";

const hourSeconds = 3600;

/** Links that are mailed per hour. */
export const resetLimits = { email: 5, address: 20 };

export type ResetRequests = {
  /** Mails a link if the e-mail is known. Returns before, so that neither answer nor time says whether it is. */
  request(email: string, ip: string): Promise<void>;
};

export function createResetRequests(options: {
  db: Database;
  mailer: Mailer;
  publicUrl: string;
  limits: RateLimits;
  log: Log;
}): ResetRequests {
  const { db, mailer, publicUrl, limits, log } = options;
  const perAddress = limits.limiter("reset-address", resetLimits.address, hourSeconds);
  const perEmail = limits.limiter("reset-email", resetLimits.email, hourSeconds);

  async function mailLink(email: string): Promise<void> {
    const user = await findUserByEmail(db, email);
    if (user === undefined) return;
    await mailer.send(
      resetMail(user.email, await createResetLink(db.changes, publicUrl, { userId: user.id, createdBy: null })),
    );
  }

  return {
    async request(email, ip) {
      // The address first: one that is refused does not use up the links of an e-mail.
      for (const consume of [() => perAddress.consume(networkOf(ip)), () => perEmail.consume(personOf(email))]) {
        const verdict = await consume();
        if (!verdict.allowed) throw tooManyAttempts(verdict.retryAfterSeconds);
      }
      // Without mail nobody would get the link, and making one would end a link that an operator has printed.
      if (!mailer.isConfigured) return;
      mailLink(email).catch((error: unknown) => log.error({ err: error }, "a password link could not be made"));
    },
  };
}
