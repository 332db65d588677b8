import type pg from "pg";
import { expect } from "vitest";

/** Runs mixed statements on one client and returns how often it incremented the counter. */
export async function workload(client: pg.Client, index: number, rounds: number): Promise<number> {
  let committed = 0;
  for (let round = 0; round < rounds; round++) {
    const mark = `${index}/${round}`;
    const kind = (round * 7 + index) % 5;
    if (kind === 0) {
      const large = mark.repeat(round % 25 === 0 ? 50_000 : 10);
      expect((await client.query("SELECT $1::text AS mark", [large])).rows).toEqual([{ mark: large }]);
    } else if (kind === 1) {
      await expect(client.query("SELECT 1 / ($1::int - $1::int)", [round])).rejects.toMatchObject({ code: "22012" });
    } else if (kind === 2) {
      const { rows } = await client.query("SELECT $1 || n AS mark FROM generate_series(1, 200) AS n", [mark]);
      expect(rows.map((row) => row.mark)).toEqual(Array.from({ length: 200 }, (_, n) => `${mark}${n + 1}`));
    } else {
      await client.query("BEGIN");
      const { rows } = await client.query("SELECT n FROM counter");
      if (kind === 4) await expect(client.query("SELECT nonsense")).rejects.toMatchObject({ code: "42703" });
      else await client.query("UPDATE counter SET n = $1", [rows[0].n + 1]);
      await client.query(kind === 4 ? "ROLLBACK" : "COMMIT");
      if (kind === 3) committed += 1;
    }
  }
  return committed;
}
