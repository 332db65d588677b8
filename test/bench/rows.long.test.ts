import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { projectRoot } from "../../src/infra/project-root.js";
import { withPostgresAndRedis } from "../support/needs.js";

const script = fileURLToPath(new URL("dist/bench/run.js", projectRoot));

withPostgresAndRedis("npm run bench -- --check", () => {
  it("can measure every row", { timeout: 600_000 }, async () => {
    const child = spawn(process.execPath, [script, "--check"], { stdio: ["ignore", "pipe", "pipe"] });
    const [output, progress] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    expect(progress).not.toContain("failed");
    expect(output).toContain("Every row works");
    expect(child.exitCode).toBe(0);
  });
});
