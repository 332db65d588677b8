import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { fastStart } from "./test/support/svc.js";
import { findTestFiles } from "./test/support/test-files.js";

const files = findTestFiles();

type ProjectOptions = NonNullable<TestProjectInlineConfiguration["test"]>;

/** Runs after the projects before it: a worker is reused only between files of one project. */
function project(name: string, include: string[], groupOrder: number, options: ProjectOptions): ProjectOptions {
  return {
    ...{ name, include, sequence: { groupOrder }, pool: "forks", testTimeout: 60_000, hookTimeout: 60_000 },
    // On a busy machine, it can take a while until a condition is met.
    expect: { poll: { timeout: 30_000 } },
    ...options,
  };
}

/** For files that use no configured service: fails if one of them connects to one. */
const withoutServices: ProjectOptions = {
  env: { DATABASE_URL: "", REDIS_URL: "" },
  setupFiles: ["test/support/forbid-services.ts"],
  execArgv: fastStart,
};

export default defineConfig({
  test: {
    globalSetup: ["test/support/global-setup.ts"],
    reporters: ["default", "./test/support/summary-reporter.ts"],
    // Many tests wait for processes that they start: one worker per core keeps the cores busy.
    maxWorkers: "100%",
    // Without isolation, files share the modules of their worker: loading them for each file takes half of the CPU time.
    projects: [
      { test: project("isolated", files.isolated, 0, { ...withoutServices, isolate: true }) },
      { test: project("standalone", files.standalone, 0, { ...withoutServices, isolate: false }) },
      { test: project("services", files.services, 1, { isolate: false, execArgv: fastStart }) },
      // A browser on a busy machine can be late; a real failure fails each time.
      {
        test: project("browser", files.browser, 2, {
          isolate: false,
          execArgv: fastStart,
          retry: 2,
          testTimeout: 120_000,
        }),
      },
    ],
  },
});
