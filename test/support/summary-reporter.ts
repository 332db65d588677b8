import type { Reporter, TestCase, TestModule, Vitest } from "vitest/node";
import { missingPackages, type Package } from "./programs.js";
import type { TestKind } from "./test-files.js";

/** What each kind of test beyond `npm test` needs or is for. */
const furtherKinds: Partial<Record<TestKind, string>> = {
  slow: "slow tests",
  browser: "browser tests (Chromium)",
  long: "long suites",
  alone: "measurements",
};

/** The kinds of tests that use a package. */
const kindsWith: Record<Package, TestKind[]> = {
  nginx: ["slow", "long"],
  pgbouncer: ["slow", "long"],
  libfaketime: ["slow", "long"],
  python3: ["unit"],
};

/**
 * Ends the run with one line about what it left out, and with what failed, so that the end of a log says what went wrong.
 * With SERVICES_REQUIRED set, a skipped test fails the run.
 */
export default class SummaryReporter implements Reporter {
  #isFiltered = false;

  onInit(vitest: Vitest): void {
    this.#isFiltered = vitest.config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    // What somebody has chosen by its name leaves nothing out.
    if (!this.#isFiltered) this.#sayWhatIsLeftOut(modules);
    const failed = modules.flatMap((module) => [...module.children.allTests("failed")]);
    const broken = modules.filter((module) => module.errors().length > 0);
    if (failed.length + broken.length + errors.length === 0) return;
    console.log(`\nFailed: ${failed.length} tests, ${broken.length} files, ${errors.length} errors outside of tests`);
    for (const test of failed)
      console.log(`  ${test.module.relativeModuleId} > ${test.fullName}\n    ${reasonOf(test)}`);
    for (const module of broken) console.log(`  ${module.relativeModuleId}: ${module.errors()[0]?.message}`);
  }

  #sayWhatIsLeftOut(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) => [...module.children.allTests("skipped")]);
    const kinds = new Set(modules.map(({ project }) => project.name));
    const packages = missingPackages.filter((name) => kindsWith[name].some((kind) => kinds.has(kind)));
    const missing = [...["DATABASE_URL", "REDIS_URL"].filter((name) => !process.env[name]), ...packages];
    const parts = skipped.length === 0 ? [] : [`${skipped.length} tests that need ${missing.join(", ") || "more"}`];
    // What somebody has chosen is not left out.
    if (process.env.npm_lifecycle_event === "test") {
      parts.push(...Object.entries(furtherKinds).flatMap(([kind, what]) => (kinds.has(kind) ? [] : [what])));
    }
    if (parts.length > 0) console.log(`\nLeft out: ${parts.join(", ")}. To run everything: npm run test:all`);
    if (process.env.SERVICES_REQUIRED && skipped.length > 0) {
      console.log("SERVICES_REQUIRED is set: a skipped test is a failure");
      for (const { module, fullName } of skipped.slice(0, 20))
        console.log(`  ${module.relativeModuleId} > ${fullName}`);
      process.exitCode = 1;
    }
  }
}

function reasonOf(test: TestCase): string {
  return test.result().errors?.[0]?.message.split("\n", 1)[0] ?? "without an error";
}
