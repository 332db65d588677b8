import type { Person } from "../../../contract/console/account.ts";

/** A session that has ended while its page was open: requests wait until the person has signed in again. */
type Renewal = { person: Person; promise: Promise<boolean>; settle: (isRenewed: boolean) => void };

let renewal: Renewal | undefined;
let renewals = 0;
const listeners = new Set<() => void>();

/** How often the session was renewed until now. */
export const renewalCount = (): number => renewals;

/**
 * Resolves with whether the same person has signed in again; otherwise the page is being left. `since` is the count when
 * the request was sent: responses may arrive after the session was renewed.
 */
export function renewSession(person: Person, since: number): Promise<boolean> {
  if (since !== renewals) return Promise.resolve(true);
  if (renewal === undefined) {
    let settle: Renewal["settle"] = () => {};
    const promise = new Promise<boolean>((resolve) => {
      settle = resolve;
    });
    renewal = { person, promise, settle };
    publish();
  }
  return renewal.promise;
}

/** Who is asked to sign in again. */
export const personToRenew = (): Person | undefined => renewal?.person;

export function settleRenewal(isRenewed: boolean): void {
  if (isRenewed) renewals++;
  renewal?.settle(isRenewed);
  renewal = undefined;
  publish();
}

export function subscribeToRenewal(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function publish(): void {
  for (const listener of listeners) listener();
}
