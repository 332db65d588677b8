import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { cpuMicros, residentMegabytes } from "../../bench/support/process-usage.js";

describe.skipIf(!existsSync("/proc/self/stat"))("what a process uses", () => {
  it("includes the processes that it started", async () => {
    const inner = JSON.stringify("console.log('ready'); setInterval(() => {}, 1000)");
    const script = `require("node:child_process").spawn(process.execPath, ["-e", ${inner}], { stdio: "inherit" })`;
    const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"], detached: true });
    try {
      await once(child.stdout, "data");
      expect(residentMegabytes(child.pid ?? 0)).toHaveLength(2);
      expect(Math.min(...residentMegabytes(child.pid ?? 0))).toBeGreaterThan(10);
      expect(cpuMicros(child.pid ?? 0)).toBeGreaterThan(0);
    } finally {
      process.kill(-(child.pid ?? 0), "SIGKILL");
    }
  });

  it("is not known of a process that does not exist", () => {
    const none = 2 ** 30;
    expect(cpuMicros(none)).toBeNull();
    expect(residentMegabytes(none)).toEqual([]);
  });
});
