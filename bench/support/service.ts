import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** The executable of this checkout; the path is relative to dist/bench/support/. */
export const executable = fileURLToPath(new URL("../../../bin/svc", import.meta.url));

const running: ChildProcess[] = [];

/** Starts the service on a database, with a rate limit that measurements do not reach, and returns its URL. */
export async function startService(databaseUrl: string): Promise<string> {
  const child = spawn(process.execPath, [executable, "serve", "--port", "0", "--json"], {
    env: { ...process.env, DATABASE_URL: databaseUrl, REDIS_URL: "", REST_LIMIT: "1000000", SHUTDOWN_GRACE_S: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  running.push(child);
  let text = "";
  for await (const chunk of child.stdout) {
    text += String(chunk);
    if (text.endsWith("}\n")) return (JSON.parse(text) as { url: string }).url;
  }
  throw new Error("the service exited before it was ready");
}

export async function stopServices(): Promise<void> {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null) continue;
    child.kill();
    await once(child, "close");
  }
}

export async function svc(args: string[], databaseUrl: string): Promise<void> {
  const child = spawn(process.execPath, [executable, ...args], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`svc ${args.join(" ")} exited with ${code}`);
}
