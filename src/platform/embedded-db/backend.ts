import type { PGlite } from "@electric-sql/pglite";
import { type Answer, readAnswer } from "./wire.js";

/** The one backend session of PGlite, as raw batches of the wire protocol. */
export type Backend = {
  start(database: PGlite): Promise<void>;
  /** Settles when the database is open; clients wait for it. */
  ready: Promise<BackendSettings>;
  run(batch: Buffer[]): Promise<Answer>;
  /** Bounds the write-ahead log; for who has the turn and is not in a transaction. */
  checkpointWhenDue(): Promise<void>;
  close(): Promise<void>;
};

export type BackendSettings = Record<string, string>;

/** PGlite is PostgreSQL's single-user mode, which never makes a checkpoint by itself: its log would grow for ever. */
const checkpointCheckMs = 5_000;
const checkpointLogBytes = 32 * 1024 * 1024;

export function createBackend(events: { onBroken(reason: string): never }): Backend {
  let announce: (settings: BackendSettings) => void = () => {};
  const ready = new Promise<BackendSettings>((resolve) => {
    announce = resolve;
  });
  let database: PGlite | undefined;
  let checkedAt = Date.now();
  let checkpointPosition = 0;

  function opened(): PGlite {
    return database ?? events.onBroken("a batch came before the database was open");
  }

  return {
    ready,
    async start(opening) {
      guardMainLoop(opening, events.onBroken);
      database = opening;
      announce(await readSettings(opening));
    },
    async run(batch) {
      const chunks: Buffer[] = [];
      // The other ways to execute keep every message they parse in memory. NodeFS has nothing to synchronize.
      await opened().execProtocolRawStream(Buffer.concat(batch), {
        syncToFs: false,
        onRawData: (bytes) => chunks.push(Buffer.from(bytes)),
      });
      return readAnswer(Buffer.concat(chunks));
    },
    async checkpointWhenDue() {
      if (Date.now() - checkedAt < checkpointCheckMs) return;
      checkedAt = Date.now();
      const position = await logPosition(opened());
      if (position - checkpointPosition < checkpointLogBytes) return;
      checkpointPosition = position;
      await opened().exec("CHECKPOINT");
    },
    close: () => opened().close(),
  };
}

/**
 * PGlite ignores what its main loop throws and calls it again, for ever when the backend has ended. Anything but its
 * own long jump (100) means that the session is gone.
 */
function guardMainLoop(database: PGlite, onBroken: (reason: string) => never): void {
  const longJumpStatus = 100;
  const runOnce = database.Module._PostgresMainLoopOnce;
  database.Module._PostgresMainLoopOnce = () => {
    try {
      runOnce();
    } catch (error) {
      const isLongJump =
        typeof error === "object" && error !== null && "status" in error && error.status === longJumpStatus;
      if (!isLongJump) onBroken(`the embedded database broke down: ${String(error)}`);
      throw error;
    }
  };
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
