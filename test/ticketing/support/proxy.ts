import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import sql from "sql-template-tag";
import { buildApp, type Tuning } from "../../../src/app.js";
import { type Config, loadConfig } from "../../../src/config.js";
import { type Database, openDatabase, type Queryable } from "../../../src/infra/database/db.js";
import { type CallOptions, call, type Reply } from "../../support/call.js";
import { type Make, makerOn } from "../../support/make.js";
import { createMemoryLog } from "../../support/memory-log.js";
import { listenTogether, processCount, redisOf } from "../../support/processes.js";
import { publicUrl } from "../../support/service.js";
import { openServiceDatabase } from "../../support/service-database.js";
import { workerDatabase } from "../../support/worker-database.js";

export const platformKey = "platform-secret-3f9a1c77e2";

export type RunningProxy = {
  db: Database;
  url: string;
  make: Make;
  /** The log so far, at every level. */
  logged(): string;
  call(path: string, options?: CallOptions): Promise<Reply>;
  /** Sends bytes over a separate socket, whose sending side may then close, and returns what arrives until the proxy closes it. */
  raw(bytes: string, options?: { halfClose?: boolean }): Promise<string>;
  /** Creates an event linked to the platform, with the organizations that host it. */
  linkedEvent(
    hosts: string[],
    options?: { id?: string; ticketingId?: string | null; status?: string },
  ): Promise<LinkedEvent>;
  /** Stops the service and keeps the database open. */
  closeApp(): Promise<void>;
  close(): Promise<void>;
};

export type LinkedEvent = { id: string; ticketingId: string };

/** Called with every statement of the service, which waits for it, and fails if it throws. */
export type BeforeQuery = (text: string, values: unknown[]) => void | Promise<void>;

/** Runs the whole service in this process, with the proxy in front of the given platform. */
export async function startProxy(
  upstream: string | null,
  options: {
    tuning?: Tuning;
    config?: Partial<Config>;
    limit?: number;
    beforeQuery?: BeforeQuery;
    /** Why this test needs a service of one process; see processes.ts. */
    oneProcess?: string;
  } = {},
): Promise<RunningProxy> {
  const { log, text: logged } = createMemoryLog("trace");
  const defaults = loadConfig({});
  const count = processCount(workerDatabase.connection, options.oneProcess);
  const config: Config = {
    ...defaults,
    publicUrl,
    redisUrl: redisOf(count),
    ticketing: upstream === null ? null : { url: upstream, apiKey: platformKey },
    limits: { ...defaults.limits, ticketing: options.limit ?? 1_000_000 },
    ...options.config,
  };
  const databases = Array.from({ length: count }, () => openServiceDatabase());
  const apps = databases.map((each) =>
    buildApp(config, interceptQueries(each, options.beforeQuery), log, {
      platformRequests: 1_000_000,
      ...options.tuning,
    }),
  );
  const { port, close: closeApps } = await listenTogether(apps);
  const db = openDatabase(workerDatabase.connection, { poolSize: 4, onIdleError: () => {} });
  const url = `http://127.0.0.1:${port}`;
  const make = makerOn(db);
  return {
    db,
    url,
    make,
    logged,
    call: (path, callOptions) => call(url, `/api/ticketing/${path}`, callOptions),
    raw: (bytes, { halfClose = false } = {}) => sendBytes(port, bytes, halfClose),
    async linkedEvent(
      hosts,
      { id: wantedId = randomUUID(), ticketingId = `evt-${randomUUID()}`, status = "published" } = {},
    ) {
      const id = await make.event(await make.conference(), { id: wantedId, hosts, status });
      await db.query(sql`update events set ticketing_event_id = ${ticketingId} where id = ${id}`);
      return { id, ticketingId: ticketingId ?? "" };
    },
    closeApp: closeApps,
    async close() {
      await closeApps();
      for (const each of [...databases, db]) await each.close();
    },
  };
}

function interceptQueries(db: Database, beforeQuery: BeforeQuery = () => {}): Database {
  const intercepted = ({ query }: Queryable): Queryable => ({
    async query(statement, name) {
      await beforeQuery(statement.text, statement.values);
      return query(statement, name);
    },
  });
  return { ...db, ...intercepted(db), changes: intercepted(db.changes) };
}

function sendBytes(port: number, bytes: string, halfClose: boolean): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let received = "";
    socket.on("error", () => {});
    socket.setEncoding("latin1").on("data", (text: string) => {
      received += text;
    });
    socket.on("close", () => resolve(received));
    socket.write(bytes);
    if (halfClose) socket.end();
  });
}
