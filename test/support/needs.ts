import { describe } from "vitest";

/** Suites that need a service run when its variable is set. Without it they are skipped, and the last lines say so. */
export const withPostgres = describe.skipIf(!process.env.DATABASE_URL);
export const withRedis = describe.skipIf(!process.env.REDIS_URL);
