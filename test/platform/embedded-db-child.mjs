/**
 * A process of its own with an embedded database, for tests that start many at once or kill them. It takes one JSON
 * argument, tells each event as a line of JSON, and ends when its standard input does.
 */
import { writeSync } from "node:fs";
import pg from "pg";
import { openEmbeddedDatabase } from "../../dist/src/platform/embedded-db/embedded-db.js";

const { dataDir, mode, task } = JSON.parse(process.argv[2]);
const say = (event) => writeSync(1, `${JSON.stringify(event)}\n`);
const inputEnd = new Promise((resolve) => process.stdin.once("end", resolve));

say({ event: "up" });
if (task === "race") await new Promise((resolve) => process.stdin.once("data", resolve));
process.stdin.resume();
try {
  const database = await openEmbeddedDatabase({ dataDir, mode, command: `test ${task}` });
  say({ event: "open", owned: database.owned });
  if (task === "write") await writeRows(database);
  await inputEnd;
  await database.close();
  say({ event: "closed" });
} catch (error) {
  say({ event: "refused", message: error.message });
}

async function writeRows({ connection }) {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query("CREATE TABLE IF NOT EXISTS written (number int PRIMARY KEY, filler text)");
  const { rows } = await client.query("SELECT count(*)::int AS count, coalesce(max(number), 0) AS last FROM written");
  say({ event: "found", ...rows[0] });
  for (let number = rows[0].last + 1; ; number++) {
    await client.query("INSERT INTO written VALUES ($1, repeat('x', 2000))", [number]);
    say({ event: "written", number });
  }
}
