import { existsSync } from "node:fs";
import { describe } from "vitest";

/** Suites that need a service are skipped unless its variable is set; summary-reporter.ts lists them. */
export const withPostgres = describe.skipIf(!process.env.DATABASE_URL);
export const withRedis = describe.skipIf(!process.env.REDIS_URL);
export const withPostgresAndRedis = describe.skipIf(!process.env.DATABASE_URL || !process.env.REDIS_URL);

/** Debian's package pgbouncer. */
export const pgBouncerProgram = "/usr/sbin/pgbouncer";
export const withPgBouncer = describe.skipIf(!process.env.DATABASE_URL || !existsSync(pgBouncerProgram));

/** Debian's package libfaketime. */
export const fakeTimeLibrary = `/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu/faketime/libfaketimeMT.so.1`;
export const withFakeTime = describe.skipIf(!process.env.DATABASE_URL || !existsSync(fakeTimeLibrary));
