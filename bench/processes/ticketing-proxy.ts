// The service with its own limits on calls of the platform raised: they would stop a measurement after 27 calls.
import { createWriteStream } from "node:fs";
import pino from "pino";
import { buildApp } from "../../src/app.js";
import { loadConfig } from "../../src/config.js";
import { serverLimits } from "../../src/infra/database/database-limits.js";
import { openDatabase } from "../../src/infra/database/db.js";
import { readConfiguration, reportReady } from "../support/process.js";

/** The platform, which is started after the process's environment is known. */
export type TicketingProxy = { url: string; apiKey: string };

const ticketing = await readConfiguration<TicketingProxy>();
const config = { ...loadConfig(), ticketing };
const log = pino({ level: config.logLevel }, createWriteStream("/dev/null"));
const db = openDatabase(
  { connectionString: config.databaseUrl ?? "" },
  { poolSize: config.databasePoolSize, onIdleError: () => {}, limits: serverLimits },
);
const app = buildApp(config, db, log, { platformRequests: 1e9, slotsPerOrganization: 50 });
await app.listen({ port: 0, host: "127.0.0.1" });
reportReady(Number(new URL(app.listeningOrigin).port));
