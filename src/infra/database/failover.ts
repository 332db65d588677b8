import { isReadOnly } from "./database-errors.js";

/** While a database stays read-only, its connections are not made anew with every change that it refuses. */
const renewEveryMs = 1_000;

export type FailoverOptions = {
  /** Called whenever a change or a check has shown whether changes are possible. */
  onWritable: (isWritable: boolean) => void;
  /** Fails where a change would. */
  tryChange: () => Promise<unknown>;
  renewConnections: () => void;
};

export type Failover = {
  /** The server is read-only: another one may be the primary by now. */
  changeRefused(): void;
  /** For the result of a change, before it is acknowledged. */
  afterChange<Result>(result: Result): Result;
  /** Whether changes are possible. */
  checkWritable(): Promise<boolean>;
};

/**
 * Decides when connections are given up because the database is now at another server. Those that were made before it
 * moved would still lead to the old one, which may go on serving reads.
 */
export function watchFailover({ onWritable, tryChange, renewConnections }: FailoverOptions): Failover {
  /** Whether a change was refused, and no check has shown since that changes are possible. */
  let isSuspected = false;
  let renewedAt = Number.NEGATIVE_INFINITY;
  let checking: Promise<boolean> | undefined;

  async function check(): Promise<boolean> {
    try {
      await tryChange();
    } catch (error) {
      if (isReadOnly(error)) return false;
      throw error;
    }
    onWritable(true);
    if (isSuspected) {
      isSuspected = false;
      renewConnections();
    }
    return true;
  }

  function checkWritable(): Promise<boolean> {
    checking ??= check().finally(() => {
      checking = undefined;
    });
    return checking;
  }

  return {
    checkWritable,
    changeRefused() {
      onWritable(false);
      isSuspected = true;
      const now = performance.now();
      if (now - renewedAt < renewEveryMs) return;
      renewedAt = now;
      renewConnections();
    },
    afterChange(result) {
      if (isSuspected) {
        // It may be on the new primary: what its caller reads next must be read there.
        renewConnections();
        checkWritable().catch(() => {});
      }
      return result;
    },
  };
}
