import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { builtFiles, compiledSources } from "./test/support/compiled-sources.js";
import { findTestFiles, type TestKind } from "./test/support/test-files.js";

const files = findTestFiles();

type ProjectOptions = NonNullable<TestProjectInlineConfiguration["test"]>;

/** Files of a kind. Without isolation they share the modules of their worker: loading them for each takes half of the time. */
function project(kind: TestKind, groupOrder: number, options: ProjectOptions = {}): TestProjectInlineConfiguration {
  return {
    // Unit tests are about one file, and modules that Node loads by itself cannot be mocked.
    plugins: kind === "unit" || kind === "mocked" ? [] : [compiledSources()],
    test: {
      server: { deps: { external: [builtFiles] } },
      execArgv: ["--enable-source-maps"],
      name: kind,
      include: files[kind],
      sequence: { groupOrder },
      pool: "forks",
      isolate: false,
      testTimeout: 60_000,
      hookTimeout: 60_000,
      // On a busy machine, it can take a while until a condition is met.
      expect: { poll: { timeout: 30_000 } },
      ...options,
    },
  };
}

/** For files that start the service or its commands: a build, and databases that test helpers open. */
const withService = {
  globalSetup: ["test/support/global-setup.ts"],
  setupFiles: ["test/support/set-up-passwords.ts"],
};

/** For files that use no configured service: fails if one of them connects to one. */
const withoutServices: ProjectOptions = {
  ...withService,
  setupFiles: [...withService.setupFiles, "test/support/forbid-services.ts"],
  env: { DATABASE_URL: "", REDIS_URL: "" },
};

export default defineConfig({
  test: {
    reporters: ["default", "./test/support/summary-reporter.ts"],
    // One per core. Each has a database in a thread of its own, so that more of them would only take turns.
    maxWorkers: "100%",
    projects: [
      project("mocked", 0, { ...withoutServices, isolate: true }),
      project("unit", 0),
      project("standalone", 0, withoutServices),
      project("services", 1, withService),
      {
        extends: "console/test/vite.config.ts",
        ...project("pages", 1, {
          ...withService,
          setupFiles: [...withService.setupFiles, "console/test/set-up-dom.ts"],
        }),
      },
      project("slow", 2, { ...withService, testTimeout: 300_000 }),
      // What measures time or shares of it is disturbed by everything else.
      project("alone", 3, { ...withService, maxWorkers: 1 }),
      project("long", 4, { ...withService, testTimeout: 900_000 }),
      project("browser", 5, { ...withService, testTimeout: 120_000 }),
    ],
  },
});
