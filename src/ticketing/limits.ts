/** The limits of the proxy. Tests shorten them; the service runs with these. */
export const ticketingDefaults = {
  /** Calls in flight, over all organizations and per organization. */
  connections: 150,
  /** As many as it may send in a minute: they may all come at once, however slow the platform is. */
  slotsPerOrganization: 30,
  /** Calls of an organization that wait for a slot, and how long they do. */
  waitingPerOrganization: 30,
  slotWaitMs: 5_000,
  connectTimeoutMs: 5_000,
  /** From the start of a call until its response can be relayed: complete if it is small, otherwise its headers. */
  responseTimeoutMs: 10_000,
  /** Between two chunks of a response. */
  idleTimeoutMs: 10_000,
  /** A caller that takes nothing of a response for this long is disconnected. */
  callerIdleMs: 10_000,
  /** For the whole call, however slowly platform and caller transfer the response. */
  callTimeoutMs: 120_000,
  /**
   * Requests to the platform in any period of platformWindowSeconds, by all organizations and processes: above 200 per
   * minute it blocks its key for a minute. The reserved ones are for organizations that have not had their share.
   */
  platformRequests: 190,
  platformReserved: 30,
  platformWindowSeconds: 60,
  /** How long a request waits until it may be sent. */
  platformWaitMs: 5_000,
  /** How long a response waits for the record of its outcome. */
  outcomeWaitMs: 2_000,
  /** The first pause before an outcome is recorded again; each further one is twice as long, up to the maximum. */
  outcomeRetryMs: 1_000,
  outcomeMaxRetryMs: 30_000,
  /** Outcomes that wait to be recorded; further ones are only logged. */
  outcomeCapacity: 1_000,
  /** How long closing waits for outcomes to be recorded. */
  outcomeDrainMs: 3_000,
};

export type TicketingLimits = typeof ticketingDefaults;
