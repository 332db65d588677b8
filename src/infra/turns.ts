import pLimit, { type LimitFunction } from "p-limit";

export type TurnLimits = {
  running: number;
  waiting: number;
  runningPerOrganization: number;
  waitingPerOrganization: number;
};

export type Turns = {
  take<Result>(organizationId: string, work: () => Promise<Result>): Promise<Result>;
  /** What runs, and what waits for it. */
  usage(): { active: number; queued: number };
};

/** Runs work in turn, within the limits of all organizations and of each. `refuse` has the jobs of an organization that has too many. */
export function createTurns(limits: TurnLimits, refuse: (jobsOfOrganization?: number) => Error): Turns {
  const all = pLimit(limits.running);
  const shares = new Map<string, { limit: LimitFunction; jobs: number }>();
  let jobs = 0;
  return {
    async take(organizationId, work) {
      const share = shares.get(organizationId) ?? { limit: pLimit(limits.runningPerOrganization), jobs: 0 };
      if (share.jobs >= limits.runningPerOrganization + limits.waitingPerOrganization) throw refuse(share.jobs);
      if (jobs >= limits.running + limits.waiting) throw refuse();
      shares.set(organizationId, share);
      share.jobs += 1;
      jobs += 1;
      try {
        return await share.limit(() => all(work));
      } finally {
        share.jobs -= 1;
        jobs -= 1;
        if (share.jobs === 0) shares.delete(organizationId);
      }
    },
    usage: () => ({ active: all.activeCount, queued: jobs - all.activeCount }),
  };
}
