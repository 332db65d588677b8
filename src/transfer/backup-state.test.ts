import { expect, it } from "vitest";
import type { Queryable } from "../infra/database/db.js";
import { createMetrics } from "../infra/observability/metrics.js";
import { observeBackups } from "./backup-state.js";

const names = ["svc_last_backup_timestamp_seconds", "svc_last_verified_backup_timestamp_seconds"];

/** The two values as they are scraped from a database that responds like this; null without a value. */
async function observe(respond: () => Promise<object[]>, sharedMs = 0) {
  const metrics = await createMetrics();
  let statements = 0;
  const query = () => {
    statements += 1;
    return respond();
  };
  observeBackups(metrics, { query } as unknown as Queryable, { timeoutMs: 50, sharedMs });
  return {
    statements: () => statements,
    async scrape() {
      const { body } = await metrics.text();
      return names.map((name) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(body)?.[1] ?? Number.NaN));
    },
  };
}

it("0 stands for never, and a value that was never read is missing", async () => {
  const { scrape } = await observe(async () => []);
  expect(await scrape()).toEqual([0, 0]);
  const failing = await observe(() => Promise.reject(new Error("lost")));
  expect(await failing.scrape()).toEqual([Number.NaN, Number.NaN]);
});

it("one statement serves both values, and scrapes in quick succession", async () => {
  const { scrape, statements } = await observe(async () => [{ backed_up: 1_700_000_000.25, verified: 5 }], 60_000);
  for (let round = 0; round < 3; round++) expect(await scrape()).toEqual([1_700_000_000.25, 5]);
  expect(statements()).toBe(1);
});

it("a database that fails or hangs does not keep metrics waiting, and the last values stay", async () => {
  let respond: () => Promise<object[]> = async () => [{ backed_up: 7, verified: 0 }];
  const { scrape, statements } = await observe(() => respond());
  expect(await scrape()).toEqual([7, 0]);
  respond = () => Promise.reject(new Error("lost"));
  expect(await scrape()).toEqual([7, 0]);
  respond = () => new Promise(() => {});
  const before = statements();
  for (let round = 0; round < 3; round++) expect(await scrape()).toEqual([7, 0]);
  expect(statements()).toBe(before + 1);
});
