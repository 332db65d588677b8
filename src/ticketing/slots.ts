import { ServiceError } from "../platform/errors.js";

export type Slots = {
  /** Returns the function that releases the slot, which may be called more than once. Throws if none is free. */
  acquire(organizationId: string): () => void;
  /** Of all organizations. */
  inUse(): number;
};

/** Bounds the calls in flight, so that neither one organization nor all of them together exhaust the connections. */
export function createSlots(limits: { connections: number; slotsPerOrganization: number }): Slots {
  const held = new Map<string, number>();
  let inUse = 0;

  function release(organizationId: string): void {
    inUse -= 1;
    const left = (held.get(organizationId) ?? 1) - 1;
    if (left === 0) held.delete(organizationId);
    else held.set(organizationId, left);
  }

  return {
    acquire(organizationId) {
      const own = held.get(organizationId) ?? 0;
      if (own >= limits.slotsPerOrganization) {
        throw noFreeSlot(
          `Your organization has ${own} requests to the ticketing platform in flight, the most it may have`,
        );
      }
      if (inUse >= limits.connections) {
        throw noFreeSlot(
          `All organizations together have ${inUse} requests to the ticketing platform in flight, the most they may have`,
        );
      }
      inUse += 1;
      held.set(organizationId, own + 1);
      let isHeld = true;
      return () => {
        if (isHeld) release(organizationId);
        isHeld = false;
      };
    },
    inUse: () => inUse,
  };
}

function noFreeSlot(problem: string): ServiceError {
  return new ServiceError("unavailable", `${problem}. Retry in 1 s`, { retryAfterSeconds: 1 });
}
