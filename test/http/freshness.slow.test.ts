import { expect, it } from "vitest";
import { useFreshDatabase } from "../support/fresh-database.js";
import { runSize } from "../support/random.js";
import { runReads } from "./freshness-run.js";

/**
 * Every read shows every write that was acknowledged before it was sent, on every process. FRESHNESS_REQUESTS and
 * FRESHNESS_SEED choose another run: `npm run test:freshness`.
 */
const { requests, seed } = runSize("FRESHNESS");

const fresh = useFreshDatabase();

it(`${requests} reads of seed ${seed} beside writers are never stale`, { timeout: 3_600_000 }, async () => {
  const { problems, outcomes, builds, reads } = await runReads(fresh, { reads: requests, seed });
  expect(problems).toEqual([]);
  for (const status of [200, 403]) expect(outcomes.get(status) ?? 0, `${status}`).toBeGreaterThan(0);
  // A run without hits would prove nothing.
  expect(builds).toBeLessThan(0.9 * reads);
});
