/**
 * A separate process with an embedded database, for tests that start several or kill one. It takes one JSON argument,
 * prints each event as a line of JSON, and exits when its standard input ends.
 */
import { writeSync } from "node:fs";
import pg from "pg";
import { openEmbeddedDatabase } from "../../dist/src/infra/embedded-db/embedded-db.js";

const { dataDir, mode, task } = JSON.parse(process.argv[2]);
const print = (event) => writeSync(1, `${JSON.stringify(event)}\n`);
const inputEnd = new Promise((resolve) => process.stdin.once("end", resolve));

print({ event: "up" });
if (task === "race") await new Promise((resolve) => process.stdin.once("data", resolve));
process.stdin.resume();
try {
  const database = await openEmbeddedDatabase({ dataDir, mode, command: `test ${task}` });
  print({ event: "open", owned: database.owned });
  if (task === "write") await writeRows(database);
  await inputEnd;
  await database.close();
  print({ event: "closed" });
} catch (error) {
  print({ event: "refused", message: error.message });
}

async function writeRows({ connection }) {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query("CREATE TABLE IF NOT EXISTS written (number int PRIMARY KEY, filler text)");
  const { rows } = await client.query("SELECT count(*)::int AS count, coalesce(max(number), 0) AS last FROM written");
  print({ event: "found", ...rows[0] });
  for (let number = rows[0].last + 1; ; number++) {
    await client.query("INSERT INTO written VALUES ($1, repeat('x', 2000))", [number]);
    print({ event: "written", number });
  }
}
