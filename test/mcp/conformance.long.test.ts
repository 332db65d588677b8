import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { resolveCheckPackage } from "../../bench/support/check-packages.js";
import { prompts } from "../../src/mcp/prompts.js";
import { tools } from "../../src/registry.js";
import { useService } from "../support/setup.js";
import { conformancePrompts, conformanceTools } from "./conformance-tools.js";
import { type KeyAddingProxy, startKeyAddingProxy } from "./key-adding-proxy.js";
import { startEndpoint } from "./start-endpoint.js";

/**
 * Runs the official conformance suites against the endpoint. Failures in features that it does not have (subscriptions,
 * logging, elicitation) are listed in expected-failures; a suite fails if one of them starts to pass.
 */
describe("conformance", () => {
  const { service, make } = useService(() =>
    startEndpoint([...tools, ...conformanceTools], ["*"], undefined, [...prompts, ...conformancePrompts]),
  );
  let proxy: KeyAddingProxy;
  let folder: string;

  beforeAll(async () => {
    const organization = await make.organization();
    await make.event(await make.conference(), { hosts: [organization] });
    proxy = await startKeyAddingProxy(service.url, await make.organizationKey(organization));
    folder = await mkdtemp(join(tmpdir(), "svc-conformance-"));
    return async () => {
      proxy.close();
      await rm(folder, { recursive: true, force: true });
    };
  });

  const current = "@modelcontextprotocol/conformance";

  it.each(["2026-07-28", "2025-11-25"])("requirements of %s", async (revision) => {
    const { code, output } = await runSuite(current, ["--requirements", revision, ...expectedFailures(revision)]);
    expect(code, output).toBe(0);
  });

  it("headers of 2026-07-28, which the requirements do not include", async () => {
    const scenario = ["--scenario", "http-header-validation", "--spec-version", "2026-07-28"];
    const { code, output } = await runSuite(current, scenario);
    expect(code, output).toBe(0);
  });

  it("the suite for revisions before 2026-07-28", async () => {
    const { code, output } = await runSuite("conformance-legacy", expectedFailures("0.1.16"));
    expect(code, output).toBe(0);
  });

  function expectedFailures(baseline: string): string[] {
    return ["--expected-failures", fileURLToPath(new URL(`./expected-failures/${baseline}.yaml`, import.meta.url))];
  }

  async function runSuite(suite: string, options: string[]): Promise<{ code: number | null; output: string }> {
    const preload = new URL("./glob-sync-polyfill.mjs", import.meta.url).href;
    const program = resolveCheckPackage(`${suite}/dist/index.js`);
    const args = ["--import", preload, program, "server", "--url", `${proxy.url}/api/mcp`, ...options];
    const child = spawn(process.execPath, args, { cwd: folder });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (chunk: string) => {
        output += chunk;
      });
    }
    const [code] = (await once(child, "close")) as [number | null];
    return { code, output };
  }
});
