/**
 * Grants one client at a time the single backend session of the embedded database, in the order of their requests. A
 * client keeps the session until its transaction is over.
 */
export type SessionQueue = {
  /** Resolves when the client has the session; immediately if it already has it. */
  acquire(client: SessionClient): Promise<void>;
  /** The client keeps the session for its open transaction but has nothing to run: the idle timeout starts. */
  markIdle(client: SessionClient): void;
  release(client: SessionClient): void;
  isBusy(): boolean;
};

/** `evict` is called when the client exceeds the idle timeout while others wait; the client must then release. */
export type SessionClient = { evict(): void };

export function createSessionQueue(options: { idleInTransactionTimeoutMs: number }): SessionQueue {
  const waiting: { client: SessionClient; grant: () => void }[] = [];
  let owner: SessionClient | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  let idleTimedOut = false;

  function stopIdleTimer(): void {
    clearTimeout(idleTimer);
    idleTimedOut = false;
  }

  function evictIdleOwner(): void {
    if (!idleTimedOut || waiting.length === 0) return;
    idleTimedOut = false;
    owner?.evict();
  }

  return {
    acquire(client) {
      if (owner === client) {
        stopIdleTimer();
        return Promise.resolve();
      }
      if (owner === undefined) {
        owner = client;
        return Promise.resolve();
      }
      return new Promise((grant) => {
        waiting.push({ client, grant });
        evictIdleOwner();
      });
    },
    markIdle(client) {
      if (owner !== client) return;
      stopIdleTimer();
      idleTimer = setTimeout(() => {
        idleTimedOut = true;
        evictIdleOwner();
      }, options.idleInTransactionTimeoutMs);
    },
    release(client) {
      if (owner !== client) return;
      stopIdleTimer();
      const next = waiting.shift();
      owner = next?.client;
      next?.grant();
    },
    isBusy: () => owner !== undefined,
  };
}
