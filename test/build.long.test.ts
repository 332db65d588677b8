import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { contextNames } from "./support/dockerfile.js";

const root = fileURLToPath(new URL("..", import.meta.url));

it("a build prints one line per part, and nothing where everything is up to date", ({ onTestFinished }) => {
  const checkout = mkdtempSync(join(tmpdir(), "svc-build-"));
  onTestFinished(() => rmSync(checkout, { recursive: true, force: true }));
  for (const name of contextNames()) cpSync(join(root, name), join(checkout, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(checkout, "node_modules"));
  const build = () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ["build.mjs"], { cwd: checkout, encoding: "utf8" });
    return { status, output: stdout + stderr };
  };
  const parts = ["service", "database template", "preview card", "console"];
  expect(build()).toEqual({ status: 0, output: parts.map((part) => `building the ${part} …\n`).join("") });
  expect(build()).toEqual({ status: 0, output: "" });
});
