import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { databaseUrl, onServer } from "./postgres.js";

const buildScript = fileURLToPath(new URL("../../build.mjs", import.meta.url));

/** For projects that start services or commands: the build, a folder, and databases on a server if there is one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { DATABASE_URL: server, REDIS_URL, TEST_PROCESSES } = process.env;
  if (TEST_PROCESSES && !(server && REDIS_URL))
    throw new Error("TEST_PROCESSES needs DATABASE_URL and REDIS_URL: set them, or unset it");
  // Tests of pages run the console's sources.
  const steps = project.name === "pages" ? ["service", "database template", "preview card"] : [];
  execFileSync(process.execPath, [buildScript, ...steps], { stdio: "inherit" });
  const temporaryDirectory = await mkdtemp(join(tmpdir(), "svc-test-"));
  project.provide("temporaryDirectory", temporaryDirectory);
  const prefix = `svc_test_${randomBytes(4).toString("hex")}`;
  if (server) {
    const template = `${prefix}_template`;
    await onServer(server, `create database ${template}`);
    // Uses the build, which was not there or out of date before.
    const { migrateDatabase } = await import("./migrated-database.js");
    await migrateDatabase({ connectionString: databaseUrl(server, template) });
    project.provide("postgres", { server, prefix, template });
  }
  return async () => {
    await rm(temporaryDirectory, { recursive: true, force: true });
    if (!server) return;
    const left = await onServer(server, `select datname as name from pg_database where datname like '${prefix}%'`);
    for (const { name } of left) await onServer(server, `drop database if exists ${name} with (force)`);
  };
}
