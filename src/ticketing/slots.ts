import { ServiceError } from "../../contract/errors.js";
import type { TicketingLimits } from "./limits.js";

export type Slots = {
  /** Waits a moment for a slot. Resolves to the function that releases it, which may be called more than once. */
  acquire(organizationId: string): Promise<() => void>;
  /** Of all organizations. */
  inUse(): number;
};

type SlotLimits = Pick<
  TicketingLimits,
  "connections" | "slotsPerOrganization" | "waitingPerOrganization" | "slotWaitMs"
>;

type Waiting = { organizationId: string; grant(release: () => void): void };

/** Bounds the calls in flight, so that neither one organization nor all of them together exhaust the connections. */
export function createSlots(limits: SlotLimits): Slots {
  const held = new Map<string, number>();
  const waiting: Waiting[] = [];
  let inUse = 0;

  const ownOf = (organizationId: string) => held.get(organizationId) ?? 0;
  const isFree = (organizationId: string) =>
    inUse < limits.connections && ownOf(organizationId) < limits.slotsPerOrganization;

  function take(organizationId: string): () => void {
    inUse += 1;
    held.set(organizationId, ownOf(organizationId) + 1);
    let isHeld = true;
    return () => {
      if (isHeld) release(organizationId);
      isHeld = false;
    };
  }

  function release(organizationId: string): void {
    inUse -= 1;
    const left = ownOf(organizationId) - 1;
    if (left === 0) held.delete(organizationId);
    else held.set(organizationId, left);
    const next = waiting.findIndex((one) => isFree(one.organizationId));
    for (const one of next === -1 ? [] : waiting.splice(next, 1)) one.grant(take(one.organizationId));
  }

  function noFreeSlot(organizationId: string): ServiceError {
    const own = ownOf(organizationId);
    const problem =
      own >= limits.slotsPerOrganization
        ? `Your organization has ${own} requests to the ticketing platform in flight, the most it may have`
        : `All organizations together have ${inUse} requests to the ticketing platform in flight, the most they may have`;
    return new ServiceError("unavailable", `${problem}. Retry in 1 s`, { retryAfterSeconds: 1 });
  }

  return {
    async acquire(organizationId) {
      if (isFree(organizationId)) return take(organizationId);
      const own = waiting.filter((one) => one.organizationId === organizationId).length;
      if (own >= limits.waitingPerOrganization) throw noFreeSlot(organizationId);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(one), 1);
          reject(noFreeSlot(organizationId));
        }, limits.slotWaitMs);
        const one: Waiting = {
          organizationId,
          grant(released) {
            clearTimeout(timer);
            resolve(released);
          },
        };
        waiting.push(one);
      });
    },
    inUse: () => inUse,
  };
}
