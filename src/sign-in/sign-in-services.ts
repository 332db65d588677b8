import type { Config } from "../config.js";
import type { Database } from "../infra/database/db.js";
import type { Log } from "../infra/observability/log.js";
import type { RateLimits } from "../infra/rate-limit.js";
import { createDoorSessions, type DoorSessions } from "./door-sessions.js";
import { createMailer, type Mailer } from "./mail.js";
import { createOidc, type Oidc } from "./oidc.js";
import { createResetRequests, type ResetRequests } from "./reset-requests.js";
import { createSignIn, type SignIn } from "./sign-in.js";

/** What sign-in consists of, for the routes of the console and for tools that invite people. */
export type SignInServices = {
  signIn: SignIn;
  door: DoorSessions;
  mailer: Mailer;
  oidc: Oidc | null;
  resetRequests: ResetRequests;
};

export function createSignInServices(config: Config, db: Database, log: Log, limits: RateLimits): SignInServices {
  const { publicUrl } = config;
  const signIn = createSignIn({ config, db, log, limits });
  const mailer = createMailer(config.mail, log);
  const { deriveKey } = signIn;
  return {
    signIn,
    door: createDoorSessions({ config, db, log, limits, deriveKey }),
    mailer,
    oidc: config.oidc === null ? null : createOidc({ config: config.oidc, publicUrl, db, log, deriveKey }),
    resetRequests: createResetRequests({ db, mailer, publicUrl, limits, log }),
  };
}
