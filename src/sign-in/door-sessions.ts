import { createHmac } from "node:crypto";
import sql from "sql-template-tag";
import { maximumWrongPins } from "../../contract/door-links.js";
import { ServiceError } from "../../contract/errors.js";
import { hashOf } from "../access/api-key.js";
import { type DoorLink, doorSessionFinder, workingDoorLinks } from "../access/door-links.js";
import type { Database } from "../infra/database/db.js";
import { randomToken } from "../infra/ids.js";
import { networkOf } from "../infra/network-of.js";
import type { Log } from "../infra/observability/log.js";
import type { RateLimits } from "../infra/rate-limit.js";
import { hashOfDoorPin } from "../modules/door-links/secrets.js";
import { tooManyAttempts } from "./guess-limits.js";
import type { DeriveKey } from "./secret-key.js";
import { cookieHeader, cookieReader } from "./sign-in.js";

/** Devices on which the door was opened with a link. Their sessions are of a kind of their own, with a cookie of their own. */
export type DoorSessions = {
  /** The link of a request's Cookie header, if it works at this moment. */
  find(cookieHeader: string | undefined): Promise<DoorLink | undefined>;
  /** Opens the door on a device, and returns the Set-Cookie header. Throws for a wrong PIN and for a link that does not work. */
  open(token: string, pin: string, ip: string): Promise<{ setCookie: string }>;
  /** Ends the session of a Cookie header, if there is one, and returns the Set-Cookie header that removes the cookie. */
  close(cookieHeader: string | undefined): Promise<{ setCookie: string }>;
};

type Parts = {
  config: { publicUrl: string };
  db: Database;
  log: Log;
  limits: RateLimits;
  deriveKey: DeriveKey;
};

/** Opening a link once more ends the session on the device on which it was opened first. */
export const sessionsPerLink = 50;

/** Attempts from one address at any link, in a quarter of an hour. Those that succeed do not count. */
const attemptsPerAddress = 50;

/** The cookie outlives every link: the database decides when a session ends. */
const cookieSeconds = 400 * 86_400;
const cookieName = "svc_door";
const tokenIn = cookieReader(cookieName, "[0-9A-Za-z]{43}");

export function createDoorSessions({ config, db, log, limits, deriveKey }: Parts): DoorSessions {
  const isSecure = config.publicUrl.startsWith("https:");
  const byAddress = limits.limiter("door-address", attemptsPerAddress, 15 * 60);
  const findSession = doorSessionFinder(db.lookups);
  const hashToken = async (token: string) =>
    createHmac("sha256", await deriveKey("door sessions"))
      .update(token)
      .digest();
  /** Only the paths of the door are sent the cookie. */
  const setCookie = (token: string, maxAgeSeconds: number) =>
    cookieHeader(cookieName, token, { path: "/api/console/door", maxAgeSeconds, isSecure, sameSite: "Strict" });

  return {
    async find(header) {
      const token = tokenIn(header);
      const found = token === undefined ? undefined : await findSession(await hashToken(token));
      if (found === undefined) return undefined;
      const { isStale, ...link } = found;
      if (isStale) {
        // Not awaited: it only tells organizers when the link was used last.
        noteUse(db, link.id).catch((error: unknown) => log.debug({ err: error }, "use of a door link not noted"));
      }
      return link;
    },
    async open(token, pin, ip) {
      const network = networkOf(ip);
      const verdict = await byAddress.consume(network);
      if (!verdict.allowed) throw tooManyAttempts(verdict.retryAfterSeconds);
      const linkId = await tryPin(db, token, pin);
      await byAddress.refund(network);
      const session = randomToken();
      await insertSession(db, linkId, await hashToken(session));
      return { setCookie: setCookie(session, cookieSeconds) };
    },
    async close(header) {
      const token = tokenIn(header);
      if (token !== undefined) {
        await db.changes.query(sql`delete from door_sessions where token_hash = ${await hashToken(token)}`);
      }
      return { setCookie: setCookie("", 0) };
    },
  };
}

/** The id of the link. A wrong PIN is counted by the statement that compares it, so that concurrent guesses count too. */
async function tryPin(db: Database, token: string, pin: string): Promise<string> {
  const hash = hashOf(token);
  const pinHash = hashOfDoorPin(token, pin);
  const [tried] = await db.changes.query<{ id: string; is_right: boolean; wrong_pins: number }>(sql`
    update door_links set wrong_pins = wrong_pins + (pin_hash <> ${pinHash})::int
    where token_hash = ${hash} and wrong_pins < ${maximumWrongPins}
      and id in (select id from ${workingDoorLinks} l where l.token_hash = ${hash})
    returning id, pin_hash = ${pinHash} as is_right, wrong_pins`);
  if (tried === undefined) {
    throw new ServiceError(
      "not_found",
      "This link does not work: it was revoked or locked, or its event is over. Ask whoever gave it to you for another one",
    );
  }
  if (tried.is_right) return tried.id;
  const left = maximumWrongPins - tried.wrong_pins;
  const next = left === 0 ? "The link is locked now: ask for another one" : `${left} more and the link is locked`;
  throw new ServiceError("forbidden", `This is not the PIN. ${next}`, { field: "pin" });
}

async function insertSession(db: Database, linkId: string, tokenHash: Buffer): Promise<void> {
  await db.changes.query(sql`insert into door_sessions (link_id, token_hash) values (${linkId}, ${tokenHash})`);
  await db.changes.query(sql`
    delete from door_sessions where link_id = ${linkId} and token_hash not in (
      select token_hash from door_sessions where link_id = ${linkId}
      order by created_at desc, token_hash limit ${sessionsPerLink})`);
  await noteUse(db, linkId);
}

async function noteUse(db: Database, linkId: string): Promise<void> {
  await db.changes.query(sql`update door_links set last_used_at = now() where id = ${linkId}`);
}
