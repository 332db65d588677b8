import { randomBytes } from "node:crypto";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EmbeddedDatabase, openEmbeddedDatabase } from "../../src/infra/embedded-db/embedded-db.js";
import { socketPath } from "../../src/infra/embedded-db/socket-dir.js";
import { backendMessages, queryMessage, startupMessage } from "../../src/infra/embedded-db/wire-protocol.js";
import { connectTo, newDirectory, temporaryDirectory } from "./embedded-db-processes.js";
import { workload } from "./embedded-db-workload.js";

describe("concurrent clients", () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let database: EmbeddedDatabase;
  beforeAll(async () => {
    directory = await temporaryDirectory();
    database = await openEmbeddedDatabase({
      dataDir: directory.path,
      mode: "own",
      command: "test",
      idleInTransactionTimeoutMs: 1_500,
    });
  });
  afterAll(async () => {
    await database.close();
    await directory.remove();
  });

  test("eight clients get their own results and lose no update", async () => {
    const setup = await connectTo(database);
    await setup.query("CREATE TABLE counter (n int NOT NULL); INSERT INTO counter VALUES (0)");
    const clients = await Promise.all(Array.from({ length: 8 }, () => connectTo(database)));
    const committed = await Promise.all(clients.map((client, index) => workload(client, index, 60)));
    const { rows } = await setup.query("SELECT n FROM counter");
    expect(rows[0].n).toBe(committed.reduce((total, count) => total + count));
  });

  test("returns a value of several megabytes unchanged", async () => {
    const client = await connectTo(database);
    const value = randomBytes(6_000_000);
    const { rows } = await client.query("SELECT $1::bytea AS value", [value]);
    expect(value.equals(rows[0].value)).toBe(true);
  });

  test("answers pipelined messages in order, however they are split into chunks", async () => {
    const socket = connect(socketPath(database.connection.host, database.connection.port));
    const queries = ["SELECT 'one'", "SELECT nonsense", "BEGIN; SELECT 'two'", "COMMIT; SELECT 'three'"];
    const bytes = Buffer.concat([startupMessage({ user: "postgres" }), ...queries.map(queryMessage)]);
    for (let start = 0; start < bytes.length; start += 11) {
      socket.write(bytes.subarray(start, start + 11));
      await sleep(0);
    }
    let received: Buffer = Buffer.alloc(0);
    let results: string[] = [];
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk]);
      results = resultsIn(received);
      if (results.filter((result) => result.startsWith("ready")).length === 1 + queries.length) break;
    }
    expect(results).toEqual(["ready I", "one", "ready I", "error", "ready I", "two", "ready T", "three", "ready I"]);
  });

  test("rolls back the transaction of a client that disconnects and serves the others", async () => {
    const client = await connectTo(database);
    await client.query("CREATE TABLE abandoned (n int)");
    const socket = connect(socketPath(database.connection.host, database.connection.port));
    socket.write(
      Buffer.concat([startupMessage({ user: "postgres" }), queryMessage("BEGIN; INSERT INTO abandoned VALUES (1)")]),
    );
    await new Promise<void>((resolve) => {
      socket.on("data", (bytes) => {
        if (bytes.includes("INSERT 0 1")) resolve();
      });
    });
    const waiting = client.query("SELECT count(*)::int AS count FROM abandoned");
    socket.destroy();
    expect((await waiting).rows).toEqual([{ count: 0 }]);
  });

  test("evicts a client that is idle in a transaction while others wait", async () => {
    const idle = await connectTo(database);
    await idle.query("BEGIN");
    await idle.query("CREATE TABLE never (n int)");
    await sleep(1_600);
    expect((await idle.query("SELECT 1 AS n")).rows).toEqual([{ n: 1 }]);
    const evicted = new Promise<Error>((resolve) => idle.once("error", resolve));
    const other = await connectTo(database);
    expect((await other.query("SELECT to_regclass('never') AS name")).rows).toEqual([{ name: null }]);
    expect(await evicted).toMatchObject({ code: "25P03", severity: "FATAL" });
  });

  test("rejects COPY FROM STDIN and keeps the session usable", async () => {
    const client = await connectTo(database);
    await client.query("CREATE TABLE target (n int)");
    await expect(client.query("COPY target FROM STDIN")).rejects.toThrow("does not support COPY FROM STDIN");
    const extended = { text: "COPY target FROM STDIN", queryMode: "extended" };
    await expect(client.query(extended)).rejects.toThrow("does not support COPY FROM STDIN");
    expect((await client.query("SELECT count(*)::int AS count FROM target")).rows).toEqual([{ count: 0 }]);
  });

  test("delivers notifications to the other connections once committed", async () => {
    const [listener, notifier] = [await connectTo(database), await connectTo(database)];
    const received: (string | undefined)[] = [];
    listener.on("notification", (message) => received.push(message.payload));
    await listener.query("LISTEN news");
    await notifier.query("BEGIN; NOTIFY news, 'rolled back'; ROLLBACK");
    await notifier.query("NOTIFY news, 'committed'");
    await expect.poll(() => received).toEqual(["committed"]);
  });

  test("resets settings when the client that set them disconnects", async () => {
    const first = await connectTo(database);
    await first.query("SET search_path = nowhere");
    await first.end();
    const second = await connectTo(database);
    expect((await second.query("SHOW search_path")).rows).toEqual([{ search_path: "public" }]);
  });

  test("survives infinite recursion with an error", async () => {
    const client = await connectTo(database);
    await client.query(
      "CREATE FUNCTION deeper(n int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN deeper(n + 1); END $$",
    );
    await expect(client.query("SELECT deeper(1)")).rejects.toMatchObject({ code: "54001" });
    expect((await client.query("SELECT 1 AS n")).rows).toEqual([{ n: 1 }]);
  });

  test("answers another protocol with a protocol violation error", async () => {
    const socket = connect(socketPath(database.connection.host, database.connection.port));
    socket.write("GET / HTTP/1.1\r\n\r\n");
    const response = Buffer.concat(await socket.toArray());
    expect(response.toString("latin1")).toContain("08P01");
  });

  test("accepts clients on the default port of the directory, as psql uses it", async () => {
    const client = new pg.Client({ host: directory.path, port: 5432, user: "postgres" });
    await client.connect();
    expect((await client.query("SELECT 1 AS n")).rows).toEqual([{ n: 1 }]);
    await client.end();
  });
});

/** The single-column rows, errors and transaction states among the messages of a server. */
function resultsIn(bytes: Buffer): string[] {
  return [...backendMessages(bytes)].flatMap(({ type, start, end }) => {
    if (type === "D") return bytes.toString("latin1", start + 11, end);
    if (type === "E") return "error";
    return type === "Z" ? `ready ${bytes.toString("latin1", start + 5, end)}` : [];
  });
}

describe("a directory", () => {
  test("refuses a directory that cannot hold the database, in one line", async () => {
    const dataDir = await newDirectory();
    await writeFile(join(dataDir, "notes.txt"), "text");
    const open = (path: string) => openEmbeddedDatabase({ dataDir: path, mode: "own", command: "test" });
    await expect(open(dataDir)).rejects.toThrow(/^DATA_DIR .* contains other files \(notes.txt\) and no database.*$/);
    await expect(open(join(dataDir, "notes.txt"))).rejects.toThrow(/^DATA_DIR .* cannot be created or written: .*$/);
    const broken = join(dataDir, "broken");
    await mkdir(join(broken, "pg"), { recursive: true });
    await writeFile(join(broken, "pg", "something"), "");
    await expect(open(broken)).rejects.toThrow(/pg contains files but no database/);
    await writeFile(join(broken, "pg", "PG_VERSION"), "15\n");
    await expect(open(broken)).rejects.toThrow(/pg was created by PostgreSQL 15 and this version needs 18/);
    expect(await readdir(broken)).toEqual(["pg"]);
  });
});
