import { createDatabase } from "../support/dataset.js";
import { compareSides, type RowGroup } from "../support/row.js";
import { difference } from "../support/statistics.js";
import { createTicketingData, inFlight, startTicketing } from "../support/ticketing.js";

/** The average response time of a remote platform. */
const platformMs = 50;

export const ticketingRows: RowGroup = [
  {
    id: "ticketing",
    name: `ticketing proxy, added median, ${inFlight} in flight`,
    reference: `the platform itself, ${platformMs} ms`,
    goal: { atMost: 1, unit: "ms" },
    async run(bench) {
      const { direct, proxied } = await startTicketing(await createTicketingData(await createDatabase()), platformMs);
      // The platform's latency limits the rate, so that the code of both is compiled later than in other rows.
      const schedule = { ...bench.schedule, warmUpMs: Math.max(2_000, bench.schedule.warmUpMs) };
      return compareSides({ ...bench, schedule }, proxied, direct, ({ p50Ms }) => p50Ms, difference);
    },
  },
];
