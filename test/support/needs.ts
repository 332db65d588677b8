import { describe, it } from "vitest";
import { missingPackages } from "./programs.js";

/** Suites that need a service are skipped unless its variable is set; summary-reporter.ts lists them. */
export const withPostgres = describe.skipIf(!process.env.DATABASE_URL);
export const withRedis = describe.skipIf(!process.env.REDIS_URL);
export const withPostgresAndRedis = describe.skipIf(!process.env.DATABASE_URL || !process.env.REDIS_URL);

/** Suites that need a package of Debian are skipped without it. */
export const withNginx = describe.skipIf(missingPackages.includes("nginx"));
export const withPgBouncer = describe.skipIf(!process.env.DATABASE_URL || missingPackages.includes("pgbouncer"));
export const withFakeTime = describe.skipIf(!process.env.DATABASE_URL || missingPackages.includes("libfaketime"));
export const itWithPython = it.skipIf(missingPackages.includes("python3"));
