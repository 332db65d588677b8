import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { openEmbeddedDatabase } from "../../src/infra/embedded-db/embedded-db.js";
import { socketPath } from "../../src/infra/embedded-db/socket-dir.js";
import { startChild, temporaryDirectory } from "./embedded-db-processes.js";

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeEach(async () => {
  directory = await temporaryDirectory();
});
afterEach(() => directory.remove());

// Other systems refuse the connection (ECONNREFUSED) when the backlog is full.
test.runIf(process.platform === "linux")(
  "an owner keeps the lock while its backlog is full",
  async () => {
    const child = startChild({ dataDir: directory.path, mode: "own", task: "hold" });
    onTestFinished(() => child.kill());
    await child.event("open");
    child.process.kill("SIGSTOP");
    const { port } = JSON.parse(await readFile(join(directory.path, "lock"), "utf8"));
    const sockets: Socket[] = [];
    const refused = new Promise<string | undefined>((resolve) => {
      for (let count = 0; count < 600; count++) {
        const socket = connect(socketPath(directory.path, port));
        socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code));
        sockets.push(socket);
      }
    });
    expect(await refused).toBe("EAGAIN");
    await expect(openEmbeddedDatabase({ dataDir: directory.path, mode: "own", command: "test" })).rejects.toThrow(
      "is in use by test hold",
    );
    for (const socket of sockets) socket.destroy();
  },
  60_000,
);

test("lets one of four concurrent processes win, with and without the lock of a killed process", async () => {
  const race = async (length: number) => {
    const children = Array.from({ length }, () => startChild({ dataDir: directory.path, mode: "own", task: "race" }));
    await Promise.all(children.map((child) => child.event("up")));
    for (const child of children) child.process.stdin?.write("go\n");
    const results = await Promise.all(children.map((child) => child.event("open", "refused")));
    const winners = children.filter((_, index) => results[index]?.event === "open");
    expect(winners).toHaveLength(1);
    for (const result of results) {
      if (result.event === "refused") {
        expect(result.message).toMatch(
          /^DATA_DIR .* is in use by test race \(pid \d+, since .*\): stop it, or set DATA_DIR to another directory$/,
        );
      }
    }
    await Promise.all(children.map((child) => (winners.includes(child) ? child.kill() : child.end())));
  };
  await race(4);
  expect(await readFile(join(directory.path, "lock"), "utf8")).toContain("test race");
  await race(3);
});
