import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type EmbeddedDatabase, openEmbeddedDatabase } from "../../src/platform/embedded-db/embedded-db.js";
import { socketPath } from "../../src/platform/embedded-db/socket-dir.js";
import { backendMessages, query, startupPacket } from "../../src/platform/embedded-db/wire.js";
import { startChild, temporaryFolder } from "./embedded-db-processes.js";
import { workload } from "./embedded-db-workload.js";

beforeAll(async () => {
  await promisify(execFile)(process.execPath, [
    fileURLToPath(new URL("../../dist/src/platform/embedded-db/template.js", import.meta.url)),
  ]);
}, 60_000);

async function newFolder(): Promise<string> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  return folder.path;
}

async function connectTo(database: EmbeddedDatabase): Promise<pg.Client> {
  const client = new pg.Client(database.connection);
  client.on("error", () => {});
  await client.connect();
  onTestFinished(() => client.end().catch(() => {}));
  return client;
}

describe("clients of one database", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let database: EmbeddedDatabase;
  beforeAll(async () => {
    folder = await temporaryFolder();
    database = await openEmbeddedDatabase({ dataDir: folder.path, mode: "own", command: "test", lingerMs: 1_500 });
  }, 30_000);
  afterAll(async () => {
    await database.close();
    await folder.remove();
  });

  test("eight at once get their own answers and lose no update", async () => {
    const setup = await connectTo(database);
    await setup.query("CREATE TABLE counter (n int NOT NULL); INSERT INTO counter VALUES (0)");
    const clients = await Promise.all(Array.from({ length: 8 }, () => connectTo(database)));
    const committed = await Promise.all(clients.map((client, index) => workload(client, index, 300)));
    const { rows } = await setup.query("SELECT n FROM counter");
    expect(rows[0].n).toBe(committed.reduce((total, count) => total + count));
  }, 60_000);

  test("a value of megabytes comes back as it was", async () => {
    const client = await connectTo(database);
    const value = randomBytes(6_000_000);
    const { rows } = await client.query("SELECT $1::bytea AS value", [value]);
    expect(value.equals(rows[0].value)).toBe(true);
  });

  test("messages that come all at once, cut anywhere, are answered in order", async () => {
    const socket = connect(socketPath(database.connection.host, database.connection.port));
    const queries = ["SELECT 'one'", "SELECT nonsense", "BEGIN; SELECT 'two'", "COMMIT; SELECT 'three'"];
    const bytes = Buffer.concat([startupPacket({ user: "postgres" }), ...queries.map(query)]);
    for (let start = 0; start < bytes.length; start += 11) {
      socket.write(bytes.subarray(start, start + 11));
      await sleep(0);
    }
    let bytesBack: Buffer = Buffer.alloc(0);
    let answers: string[] = [];
    for await (const chunk of socket) {
      bytesBack = Buffer.concat([bytesBack, chunk]);
      answers = answersIn(bytesBack);
      if (answers.filter((answer) => answer.startsWith("ready")).length === 1 + queries.length) break;
    }
    expect(answers).toEqual(["ready I", "one", "ready I", "error", "ready I", "two", "ready T", "three", "ready I"]);
  });

  test("a client that disappears within a transaction is rolled back, and the others go on", async () => {
    const client = await connectTo(database);
    await client.query("CREATE TABLE abandoned (n int)");
    const socket = connect(socketPath(database.connection.host, database.connection.port));
    socket.write(
      Buffer.concat([startupPacket({ user: "postgres" }), query("BEGIN; INSERT INTO abandoned VALUES (1)")]),
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

  test("a client that idles in a transaction is sent away once others wait", async () => {
    const idle = await connectTo(database);
    await idle.query("BEGIN");
    await idle.query("CREATE TABLE never (n int)");
    await sleep(1_600);
    expect((await idle.query("SELECT 1 AS n")).rows).toEqual([{ n: 1 }]);
    const sentAway = new Promise<Error>((resolve) => idle.once("error", resolve));
    const other = await connectTo(database);
    expect((await other.query("SELECT to_regclass('never') AS name")).rows).toEqual([{ name: null }]);
    expect(await sentAway).toMatchObject({ code: "25P03", severity: "FATAL" });
  });

  test("a copy from the client is refused and the session goes on", async () => {
    const client = await connectTo(database);
    await client.query("CREATE TABLE target (n int)");
    await expect(client.query("COPY target FROM STDIN")).rejects.toThrow("cannot copy from the client");
    const extended = { text: "COPY target FROM STDIN", queryMode: "extended" };
    await expect(client.query(extended)).rejects.toThrow("cannot copy from the client");
    expect((await client.query("SELECT count(*)::int AS count FROM target")).rows).toEqual([{ count: 0 }]);
  });

  test("a notification reaches the other connections, and only when it is committed", async () => {
    const [listener, speaker] = [await connectTo(database), await connectTo(database)];
    const heard: (string | undefined)[] = [];
    listener.on("notification", (message) => heard.push(message.payload));
    await listener.query("LISTEN news");
    await speaker.query("BEGIN; NOTIFY news, 'unsaid'; ROLLBACK");
    await speaker.query("NOTIFY news, 'said'");
    await expect.poll(() => heard).toEqual(["said"]);
  });

  test("a forgotten setting goes with the client that made it", async () => {
    const careless = await connectTo(database);
    await careless.query("SET search_path = nowhere");
    await careless.end();
    const client = await connectTo(database);
    expect((await client.query("SHOW search_path")).rows).toEqual([{ search_path: "public" }]);
  });

  test("endless recursion is an error, not the end", async () => {
    const client = await connectTo(database);
    await client.query(
      "CREATE FUNCTION deeper(n int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN deeper(n + 1); END $$",
    );
    await expect(client.query("SELECT deeper(1)")).rejects.toMatchObject({ code: "54001" });
    expect((await client.query("SELECT 1 AS n")).rows).toEqual([{ n: 1 }]);
  });

  test("who speaks another protocol is told so", async () => {
    const socket = connect(socketPath(database.connection.host, database.connection.port));
    socket.write("GET / HTTP/1.1\r\n\r\n");
    const answer = Buffer.concat(await socket.toArray());
    expect(answer.toString("latin1")).toContain("08P01");
  });

  test("a client that is told no port finds it by the folder, as psql does", async () => {
    const client = new pg.Client({ host: folder.path, port: 5432, user: "postgres" });
    await client.connect();
    expect((await client.query("SELECT 1 AS n")).rows).toEqual([{ n: 1 }]);
    await client.end();
  });
});

/** The one-column rows, errors and states in what a server sent. */
function answersIn(bytes: Buffer): string[] {
  return [...backendMessages(bytes)].flatMap(({ type, start, end }) => {
    if (type === "D") return bytes.toString("latin1", start + 11, end);
    if (type === "E") return "error";
    return type === "Z" ? `ready ${bytes.toString("latin1", start + 5, end)}` : [];
  });
}

describe("one folder, several processes", () => {
  test("the second is refused or shares, and the owner waits for its guest", async () => {
    const dataDir = await newFolder();
    const owner = await openEmbeddedDatabase({ dataDir, mode: "share", command: "svc first" });
    expect(owner.owned).toBe(true);
    await expect(openEmbeddedDatabase({ dataDir, mode: "own", command: "svc second" })).rejects.toThrow(
      `DATA_DIR ${dataDir} is in use by svc first (pid ${process.pid}, since `,
    );
    const guest = await openEmbeddedDatabase({ dataDir, mode: "share", command: "svc second" });
    expect(guest.owned).toBe(false);
    let ownerClosed = false;
    const closing = owner.close().then(() => {
      ownerClosed = true;
    });
    await sleep(200);
    const client = await connectTo(guest);
    await client.query("CREATE TABLE kept AS SELECT 1 AS n");
    expect(ownerClosed).toBe(false);
    await client.end();
    await guest.close();

    // Comes while the owner may still be closing: it is the guest of one that is not, or the next owner.
    const next = await openEmbeddedDatabase({ dataDir, mode: "share", command: "svc third" });
    const reader = await connectTo(next);
    expect((await reader.query("SELECT n FROM kept")).rows).toEqual([{ n: 1 }]);
    await reader.end();
    await next.close();
    await closing;
    expect(await readdir(dataDir)).toEqual(["pg"]);
  }, 30_000);

  test("a folder with a long path works", async () => {
    const dataDir = join(await newFolder(), "deep".repeat(20), "deeper".repeat(20));
    const owner = await openEmbeddedDatabase({ dataDir, mode: "own", command: "svc first" });
    const guest = await openEmbeddedDatabase({ dataDir, mode: "share", command: "svc second" });
    const client = await connectTo(guest);
    expect((await client.query("SELECT 1 AS n")).rows).toEqual([{ n: 1 }]);
    await client.end();
    await guest.close();
    await owner.close();
    expect(existsSync(owner.connection.host)).toBe(false);
  }, 30_000);

  test("a folder that is no home for a database is refused in one line", async () => {
    const dataDir = await newFolder();
    await writeFile(join(dataDir, "letter.txt"), "dear");
    const open = (path: string) => openEmbeddedDatabase({ dataDir: path, mode: "own", command: "test" });
    await expect(open(dataDir)).rejects.toThrow(/^DATA_DIR .* holds other files \(letter.txt\) and no database.*$/);
    await expect(open(join(dataDir, "letter.txt"))).rejects.toThrow(/^DATA_DIR .* cannot be created or written: .*$/);
    const broken = join(dataDir, "broken");
    await mkdir(join(broken, "pg"), { recursive: true });
    await writeFile(join(broken, "pg", "something"), "");
    await expect(open(broken)).rejects.toThrow(/pg holds files but no database/);
    await writeFile(join(broken, "pg", "PG_VERSION"), "15\n");
    await expect(open(broken)).rejects.toThrow(/pg was made by PostgreSQL 15 and this version needs 18/);
    expect(await readdir(broken)).toEqual(["pg"]);
  }, 30_000);
});

describe("what breaks", () => {
  test("kill -9 loses nothing that was acknowledged", async () => {
    const dataDir = await newFolder();
    let acknowledged = 0;
    for (const writingMs of [200, 400, 0]) {
      const child = startChild({ dataDir, mode: "own", task: "write" });
      const found = await child.event("found");
      expect(found.count).toBeGreaterThanOrEqual(acknowledged);
      await sleep(writingMs);
      await child.kill();
      acknowledged = child.events.findLast((event) => event.event === "written")?.number ?? acknowledged;
    }
    expect(acknowledged).toBeGreaterThan(10);
  }, 60_000);

  test("a first start that is killed leaves nothing in the way", async () => {
    for (const [name, delayMs] of [
      ["pg.new", 10],
      ["pg", 0],
    ] as const) {
      const dataDir = await newFolder();
      const child = startChild({ dataDir, mode: "own", task: "hold" });
      while (!existsSync(join(dataDir, name))) await sleep(1);
      await sleep(delayMs);
      await child.kill();
      const database = await openEmbeddedDatabase({ dataDir, mode: "own", command: "test" });
      const client = await connectTo(database);
      expect((await client.query("SELECT 1 AS n")).rows).toEqual([{ n: 1 }]);
      await database.close();
      expect(await readdir(dataDir)).toEqual(["pg"]);
    }
  }, 60_000);

  test("the owner hears of a database that breaks down", async () => {
    const dataDir = await newFolder();
    const failures: string[] = [];
    const onFailure = (error: Error) => failures.push(error.message);
    const database = await openEmbeddedDatabase({ dataDir, mode: "own", command: "test", onFailure });
    const client = await connectTo(database);
    await rm(join(dataDir, "pg", "pg_wal"), { recursive: true });
    const query = client.query("CREATE TABLE large AS SELECT repeat('x', 5000) FROM generate_series(1, 5000)");
    await expect(query).rejects.toThrow("Connection terminated");
    await expect.poll(() => failures).toEqual([expect.stringContaining("the embedded database broke down")]);
    await database.close();
    const again = openEmbeddedDatabase({ dataDir, mode: "own", command: "test" });
    await expect(again).rejects.toThrow(/the database in .*pg cannot be opened/);
  }, 30_000);
});
