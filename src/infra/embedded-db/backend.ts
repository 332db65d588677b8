import type { PGlite } from "@electric-sql/pglite";
import { type BatchResponse, parseBatchResponse } from "./wire-protocol.js";

/** The single backend session of PGlite, which runs batches of wire protocol messages. */
export type Backend = {
  start(database: PGlite): Promise<void>;
  /** Resolves when the database is open; clients wait for it. */
  ready: Promise<BackendSettings>;
  run(batch: Buffer[]): Promise<BatchResponse>;
  /** Bounds the write-ahead log. Only for the client that has the session, outside a transaction. */
  checkpointIfDue(): Promise<void>;
  close(): Promise<void>;
};

export type BackendSettings = Record<string, string>;

/** PGlite runs PostgreSQL in single-user mode, which makes no checkpoints of its own: the log would grow without bound. */
const checkpointCheckMs = 5_000;
const checkpointLogBytes = 32 * 1024 * 1024;

export function createBackend(events: { onFatal(reason: string): never }): Backend {
  let resolveReady: (settings: BackendSettings) => void = () => {};
  const ready = new Promise<BackendSettings>((resolve) => {
    resolveReady = resolve;
  });
  let database: PGlite | undefined;
  let checkedAt = performance.now();
  let checkpointPosition = 0;

  function getDatabase(): PGlite {
    return database ?? events.onFatal("a batch arrived before the database was open");
  }

  return {
    ready,
    async start(opened) {
      guardMainLoop(opened, events.onFatal);
      refusePrograms(opened);
      database = opened;
      resolveReady(await readSettings(opened));
    },
    async run(batch) {
      const chunks: Buffer[] = [];
      // Other exec functions keep every parsed message in memory. NodeFS has nothing to synchronize.
      await getDatabase().execProtocolRawStream(Buffer.concat(batch), {
        syncToFs: false,
        onRawData: (bytes) => chunks.push(Buffer.from(bytes)),
      });
      return parseBatchResponse(Buffer.concat(chunks));
    },
    async checkpointIfDue() {
      if (performance.now() - checkedAt < checkpointCheckMs) return;
      checkedAt = performance.now();
      const position = await logPosition(getDatabase());
      if (position - checkpointPosition < checkpointLogBytes) return;
      checkpointPosition = position;
      await getDatabase().exec("CHECKPOINT");
    },
    close: () => getDatabase().close(),
  };
}

/**
 * PGlite ignores exceptions of its main loop and calls it again, which never ends once the backend has exited. Any
 * exception other than its own long jump (status 100) means that the session is lost.
 */
function guardMainLoop(database: PGlite, onFatal: (reason: string) => never): void {
  const longJumpStatus = 100;
  const runOnce = database.Module._PostgresMainLoopOnce;
  database.Module._PostgresMainLoopOnce = () => {
    try {
      runOnce();
    } catch (error) {
      const isLongJump =
        typeof error === "object" && error !== null && "status" in error && error.status === longJumpStatus;
      if (!isLongJump) onFatal(`the embedded database crashed: ${String(error)}`);
      throw error;
    }
  };
}

/** COPY … PROGRAM would throw inside PostgreSQL, which ends it; a null pointer makes it an ordinary error. */
function refusePrograms({ Module: module }: PGlite): void {
  const nullPointer = 0;
  module._pgl_set_popen_fn(module.addFunction(() => nullPointer, "ppi"));
}

async function readSettings(database: PGlite): Promise<BackendSettings> {
  const names = [
    "server_version",
    "server_encoding",
    "client_encoding",
    "DateStyle",
    "IntervalStyle",
    "TimeZone",
    "integer_datetimes",
    "standard_conforming_strings",
    "is_superuser",
    "session_authorization",
    "default_transaction_read_only",
    "in_hot_standby",
  ];
  const { rows } = await database.query<{ name: string; setting: string }>(
    "SELECT name, current_setting(name) AS setting FROM unnest($1::text[]) AS name",
    [names],
  );
  return Object.fromEntries(rows.map((row) => [row.name, row.setting]));
}

async function logPosition(database: PGlite): Promise<number> {
  const { rows } = await database.query<{ position: string }>(
    "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text AS position",
  );
  return Number(rows[0]?.position);
}
