import { readdir } from "node:fs/promises";
import { connect } from "node:net";
import { z } from "zod";
import { socketPath } from "./socket-dir.js";
import { ownerProbeName, startupMessage } from "./wire-protocol.js";

const lockOwner = z.object({
  id: z.uuid(),
  pid: z.int(),
  command: z.string(),
  socket_dir: z.string(),
  port: z.int(),
  started_at: z.string(),
});

export type LockOwner = z.infer<typeof lockOwner>;

/** Only these two errors prove that no process listens; a full backlog or a missing permission does not. */
export async function isAlive(owner: LockOwner, socketDir: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath(socketDir, owner.port));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", (error) => resolve(!provesDeath(error)));
  });
}

/** The owner according to the sockets in DATA_DIR, whatever has become of its lock file. */
export async function findListeningOwner(
  dataDir: string,
  socketDir: string,
  ownPort: number | undefined,
): Promise<LockOwner | undefined> {
  const ports = (await readdir(dataDir)).flatMap((name) => /^\.s\.PGSQL\.(\d{5})$/.exec(name)?.[1] ?? []).map(Number);
  const others = ports.filter((port) => port !== ownPort);
  const owners = await Promise.all(others.map((port) => askForOwner(socketDir, port)));
  return owners.find((owner) => owner !== undefined);
}

const probeTimeoutMs = 10_000;

/** Undefined if nobody listens, or a process that does not own the directory. No response counts as an owner. */
function askForOwner(socketDir: string, port: number): Promise<LockOwner | undefined> {
  const unknown = {
    id: "00000000-0000-0000-0000-000000000000",
    pid: 0,
    command: "a process that does not respond",
    socket_dir: socketDir,
    port,
    started_at: "unknown",
  };
  return new Promise((resolve) => {
    let response = "";
    const socket = connect(socketPath(socketDir, port));
    // A connection that ends without a response was ended by a process that exits.
    let endsItself = false;
    socket.once("connect", () => {
      endsItself = true;
    });
    socket.setTimeout(probeTimeoutMs, () => {
      endsItself = false;
      socket.destroy();
    });
    socket.setEncoding("utf8").on("data", (text: string) => {
      response += text;
    });
    socket.on("error", (error) => {
      if (provesDeath(error)) resolve(undefined);
    });
    socket.once("close", () => {
      const isNobody = response === "null" || (response === "" && endsItself);
      resolve(isNobody ? undefined : (parseOwner(response) ?? unknown));
    });
    socket.write(startupMessage({ user: "postgres", application_name: ownerProbeName }));
  });
}

/** Undefined if the text is not the record of an owner. */
export function parseOwner(text: string): LockOwner | undefined {
  try {
    return lockOwner.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function provesDeath(error: Error): boolean {
  return "code" in error && (error.code === "ECONNREFUSED" || error.code === "ENOENT");
}
