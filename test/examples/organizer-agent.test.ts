import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Running, startCommand } from "../support/svc.js";

const program = fileURLToPath(new URL("../../dist/examples/organizer-agent.js", import.meta.url));

let dataDir: string;
let service: Running;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "svc-test-"));
  service = await startCommand(["serve", "--port", "0", "--json"], { DATA_DIR: dataDir });
});
afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

it("completes its task on the demo data in 16 calls of less than 75 KB together", async () => {
  const key = service.ready.demo?.keys.find(({ tier }) => tier === "organization")?.key ?? "";
  const { code, stdout, stderr } = await run(key);
  expect(stderr).toBe("");
  expect(code).toBe(0);
  const report = JSON.parse(stdout) as { calls: number; sent: number; received: number; image_url: string };
  expect(report.calls).toBe(16);
  expect(report.sent + report.received).toBeLessThan(75_000);
  const image = await fetch(report.image_url);
  expect(image.headers.get("content-type")).toBe("image/png");
  const posters = await fetch(`${service.ready.url}/api/svc/posters?published=true&limit=200`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const { items } = (await posters.json()) as { items: { image_url: string }[] };
  expect(items.map((poster) => poster.image_url)).toContain(report.image_url);
});

it("reports an invalid key", async () => {
  const { code, stderr } = await run("svc_mk_wrong");
  expect(code).toBe(1);
  expect(stderr).toContain("Invalid or expired API key");
});

async function run(key: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [program, service.ready.url, "--json"], {
    env: { ...process.env, SVC_KEY: key },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}
