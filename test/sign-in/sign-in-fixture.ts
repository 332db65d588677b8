import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { type Database, openDatabase, type Queryable } from "../../src/infra/database/db.js";
import { createRateLimits } from "../../src/infra/rate-limit.js";
import { hashPassword } from "../../src/sign-in/password-hashes.js";
import { savePasswordHash } from "../../src/sign-in/passwords.js";
import { createSignIn, type SignIn, type SignInOptions } from "../../src/sign-in/sign-in.js";
import { type Make, makerOn } from "../support/make.js";
import { createMemoryLog } from "../support/memory-log.js";
import { openServiceDatabase } from "../support/service-database.js";
import { workerDatabase } from "../support/worker-database.js";

export const password = "four unrelated words";
export const client = { ip: "192.0.2.7", userAgent: "Test browser" };

export type SignInFixture = {
  db: Database;
  make: Make;
  signIn: SignIn;
  /** Another process on the same database. */
  start(options?: Partial<SignInOptions>): SignIn;
  logged(): string;
  /** Somebody with the password above. */
  person(): Promise<{ id: string; email: string }>;
  close(): Promise<void>;
};

export function openSignIn(): SignInFixture {
  const serviceDb = openServiceDatabase();
  const db = openDatabase(workerDatabase.connection, { poolSize: 4, onIdleError: () => {} });
  const { log, text } = createMemoryLog("debug");
  const limits = createRateLimits(null, log);
  const make = makerOn(db);
  let hash: Promise<string> | undefined;
  const start = (options: Partial<SignInOptions> = {}) =>
    createSignIn({
      config: { publicUrl: "https://svc.test", secretKey: null },
      db: serviceDb,
      log,
      limits,
      ...options,
    });
  return {
    db,
    make,
    start,
    signIn: start(),
    logged: text,
    async person() {
      const id = await make.user();
      hash ??= hashPassword(password);
      await savePasswordHash(db, id, await hash);
      return { id, email: await emailOf(db, id) };
    },
    async close() {
      await limits.close();
      await Promise.all([serviceDb.close(), db.close()]);
    },
  };
}

export async function emailOf(db: Queryable, id: string): Promise<string> {
  const [row] = await db.query<{ email: string }>(sql`select email from users where id = ${id}`);
  return row?.email ?? "";
}

/** The Cookie header that a browser sends after this Set-Cookie header. */
export const cookieOf = (setCookie: string) => setCookie.split(";")[0] ?? "";

export const unknownEmail = () => `${randomUUID()}@example.com`;
