import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";

const executable = fileURLToPath(new URL("../../bin/svc", import.meta.url));

export type Launched = {
  child: ChildProcess;
  /** What it has written to stdout, once the text is there; rejects when it ends without it. */
  until(text: string): Promise<string>;
  end(signal: NodeJS.Signals): Promise<number | null>;
};

/** `svc serve` on its embedded database as a person starts it, not waited for. */
export function launchServe(args: string[], env: Record<string, string>): Launched {
  const { DATABASE_URL: _, REDIS_URL: __, ...rest } = process.env;
  const child = spawn(process.execPath, [executable, "serve", ...args], {
    env: { ...rest, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
  });
  return {
    child,
    async until(text) {
      while (!stdout.includes(text)) {
        const [code] = await Promise.race([once(child.stdout, "data"), closed]);
        if (child.exitCode !== null) throw new Error(`svc serve ended with ${code}: ${stdout}`);
      }
      return stdout;
    },
    async end(signal) {
      child.kill(signal);
      const [code] = await closed;
      return code;
    },
  };
}

/** A port that was free a moment ago. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}
