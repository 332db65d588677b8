import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { withoutSandbox } from "../support/embedded.js";
import { startCommand } from "../support/svc.js";

/** Writes a line with the bytes that have become old since the last one, when it gets a signal. */
const reportPromoted = `
  import { PerformanceObserver } from "node:perf_hooks";
  import { getHeapSpaceStatistics } from "node:v8";
  const oldBytes = () => getHeapSpaceStatistics()
    .filter(({ space_name: name }) => name === "old_space" || name === "large_object_space")
    .reduce((sum, { space_used_size: bytes }) => sum + bytes, 0);
  let promoted = 0;
  let before = oldBytes();
  const observe = () => {
    const now = oldBytes();
    promoted += Math.max(0, now - before);
    before = now;
  };
  new PerformanceObserver(observe).observe({ entryTypes: ["gc"] });
  process.on("SIGUSR2", () => {
    observe();
    process.stderr.write("promoted " + promoted + "\\n");
    promoted = 0;
  });`;

const warmUpRequests = 2_000;
const measuredRequests = 1_000;

describe("a request leaves nothing for the old generation", () => {
  // What outlives the young generation would be 6 KB per request, and 165 KB with the rows of its page.
  it.each([
    ["with the cache", { CACHE_MB: "64" }, 1_000],
    // Here, requests wait for the database, and some of them for so long that they become old.
    ["read from the database", { CACHE_MB: "0" }, 10_000],
  ])(
    "%s",
    async (_name, environment, maximumBytes) => {
      const dataDir = await mkdtemp(join(tmpdir(), "svc-test-"));
      const running = await startCommand(
        ["serve", "--port", "0", "--json"],
        { ...withoutSandbox, ...environment, DATA_DIR: dataDir, REST_LIMIT: "1000000", LOG_LEVEL: "error" },
        ["--import", `data:text/javascript,${encodeURIComponent(reportPromoted)}`],
      );
      const key = running.ready.demo?.keys.find(({ tier }) => tier === "super-admin")?.key;
      const agent = new Agent({ keepAlive: true, maxSockets: 8 });
      const send = async () => {
        const outgoing = get(`${running.ready.url}/api/svc/posters?limit=50`, {
          agent,
          headers: { authorization: `Bearer ${key}` },
        });
        const [response] = (await once(outgoing, "response")) as [IncomingMessage];
        expect(response.statusCode).toBe(200);
        await once(response.resume(), "end");
      };
      const promotedBy = async (requests: number) => {
        await Promise.all(Array.from({ length: requests }, send));
        const reported = running.output().stderr.length;
        running.child.kill("SIGUSR2");
        for (;;) {
          const bytes = /promoted (\d+)\n/.exec(running.output().stderr.slice(reported))?.[1];
          if (bytes !== undefined) return Number(bytes);
          await once(running.child.stderr ?? running.child, "data");
        }
      };
      try {
        // The engine itself keeps what it compiles.
        await promotedBy(warmUpRequests);
        expect((await promotedBy(measuredRequests)) / measuredRequests).toBeLessThan(maximumBytes);
      } finally {
        agent.destroy();
        await running.stop();
        await rm(dataDir, { recursive: true, force: true });
      }
    },
    180_000,
  );
});
