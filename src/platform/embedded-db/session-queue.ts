/**
 * Whose turn it is at the one backend session of the embedded database. Guests wait in line, first come first
 * served; who has the turn keeps it through its transaction.
 */
export type Turns = {
  /** Resolves when the guest has the turn; at once when it has it already. */
  enter(guest: Guest): Promise<void>;
  /** The guest keeps the turn, within a transaction, and has nothing to run for now. */
  linger(guest: Guest): void;
  leave(guest: Guest): void;
  isBusy(): boolean;
};

/** `sendAway` is called when the guest lingers too long while others wait; it must then leave. */
export type Guest = { sendAway(): void };

export function createTurns(options: { lingerMs: number }): Turns {
  const line: { guest: Guest; admit: () => void }[] = [];
  let owner: Guest | undefined;
  let lingerTimer: NodeJS.Timeout | undefined;
  let overstayed = false;

  function stopClock(): void {
    clearTimeout(lingerTimer);
    overstayed = false;
  }

  function sendAwayWhoOverstays(): void {
    if (!overstayed || line.length === 0) return;
    overstayed = false;
    owner?.sendAway();
  }

  return {
    enter(guest) {
      if (owner === guest) {
        stopClock();
        return Promise.resolve();
      }
      if (owner === undefined) {
        owner = guest;
        return Promise.resolve();
      }
      return new Promise((admit) => {
        line.push({ guest, admit });
        sendAwayWhoOverstays();
      });
    },
    linger(guest) {
      if (owner !== guest) return;
      stopClock();
      lingerTimer = setTimeout(() => {
        overstayed = true;
        sendAwayWhoOverstays();
      }, options.lingerMs);
    },
    leave(guest) {
      if (owner !== guest) return;
      stopClock();
      const next = line.shift();
      owner = next?.guest;
      next?.admit();
    },
    isBusy: () => owner !== undefined,
  };
}
