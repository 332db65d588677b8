import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EmbeddedDatabase, openEmbeddedDatabase } from "../../src/infra/embedded-db/embedded-db.js";
import { socketPath } from "../../src/infra/embedded-db/socket-dir.js";
import { queryMessage, startupMessage, syncMessage } from "../../src/infra/embedded-db/wire-protocol.js";
import { temporaryDirectory } from "../infra/embedded-db-processes.js";

/** What a client of the embedded database, or a person with access to its folder, may break: never the service. */

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let dataDir: string;
let database: EmbeddedDatabase;

beforeAll(async () => {
  directory = await temporaryDirectory();
  dataDir = join(directory.path, "parent", "data");
  await mkdir(dataDir, { recursive: true, mode: 0o755 });
  database = await openEmbeddedDatabase({ dataDir, mode: "own", command: "svc first" });
});

afterAll(async () => {
  await database.close();
  await directory.remove();
});

const message = (type: string, body: string) => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body, "latin1")]);
};
const parse = (sql: string) => message("P", `\0${sql}\0\0\0`);
const flush = message("H", "");

/** Sends messages and returns what the server sent until it closed the connection. */
async function sendUntilClosed(...messages: Buffer[]): Promise<string> {
  const socket = connect(socketPath(database.connection.host, database.connection.port));
  socket.write(Buffer.concat([startupMessage({ user: "postgres" }), ...messages]));
  return Buffer.concat(await socket.toArray()).toString("latin1");
}

async function query(sql: string): Promise<unknown[]> {
  const client = new pg.Client(database.connection);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

describe("a client that breaks the wire protocol", () => {
  it("is disconnected, and the others are served", async () => {
    const response = await sendUntilClosed(parse("SELECT nonsense"), flush, queryMessage("SELECT 1"));
    expect(response).toContain("08P01");
    expect(response).toContain("expected Sync after the message that failed");
    expect(await query("SELECT 1 AS n")).toEqual([{ n: 1 }]);
  });

  it("gets an error for messages with malformed bodies", async () => {
    for (const type of ["B", "C", "D", "E", "F", "P", "Q"]) {
      for (const body of ["", "x", "\0", "\0\0\xff\xff\xff\xff", "x".repeat(100)]) {
        await sendUntilClosed(message(type, body), syncMessage, message("X", ""));
      }
    }
    expect(await query("SELECT 1 AS n")).toEqual([{ n: 1 }]);
  });

  it("cannot run programs", async () => {
    await expect(query("COPY (SELECT 1) TO PROGRAM 'cat'")).rejects.toThrow("could not execute command");
    await expect(query("CREATE TEMP TABLE t (a text); COPY t FROM PROGRAM 'ls'")).rejects.toThrow(
      "could not execute command",
    );
    expect(await query("SELECT 1 AS n")).toEqual([{ n: 1 }]);
  });
});

describe("the folder", () => {
  it("is private, also if it existed before", async () => {
    for (const path of [dataDir, join(dataDir, "pg"), join(dataDir, "pg", "base")]) {
      expect((await stat(path)).mode & 0o777).toBe(0o700);
    }
  });

  const open = (mode: "own" | "share") => openEmbeddedDatabase({ dataDir, mode, command: "svc second" });

  it.each([
    ["deleted", () => rm(join(dataDir, "lock"))],
    ["empty", () => writeFile(join(dataDir, "lock"), "")],
    ["damaged", () => writeFile(join(dataDir, "lock"), '{"id":')],
  ])("has no second owner after its lock was %s", async (_name, damage) => {
    await query("SELECT 1");
    await damage();
    await expect(open("own")).rejects.toThrow(
      `DATA_DIR ${dataDir} is in use by svc first (pid ${process.pid}, since 20`,
    );
    const sharing = await open("share");
    expect(sharing.owned).toBe(false);
    await sharing.close();
  });

  it("that cannot be created is refused at once", async () => {
    const opened = openEmbeddedDatabase({ dataDir: "/proc/svc/data", mode: "own", command: "svc serve" });
    await expect(opened).rejects.toThrow(/^DATA_DIR \/proc\/svc\/data cannot be created or written: .*; set DATA_DIR/);
  });
});
