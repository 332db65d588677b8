import { describe, expect, it } from "vitest";
import { useFreshDatabase } from "../support/fresh-database.js";
import { withPostgres } from "../support/needs.js";
import { runReads } from "./freshness-run.js";

const seed = 20_270_301;
const reads = 60_000;

const fresh = useFreshDatabase();

describe("freshness.slow.test.ts finds", () => {
  it.each(["conferences", "events", "event_hosts", "posters"])("a missing trigger on %s", async (table) => {
    const { problems } = await runReads(fresh, { reads, seed, disabled: table, onlyVisibility: true });
    expect(problems).not.toEqual([]);
  });
});

withPostgres("where transactions overlap, freshness.slow.test.ts finds", () => {
  it("changes that are compared by number, not by visibility", async () => {
    const byNumber = (text: string) =>
      text.replace(
        "pg_visible_in_snapshot(c.xid, given.snapshots[place])",
        "c.xid < pg_snapshot_xmax(given.snapshots[place])",
      );
    const { problems } = await runReads(fresh, { reads, seed, rewrite: byNumber });
    expect(problems).not.toEqual([]);
  });
});
