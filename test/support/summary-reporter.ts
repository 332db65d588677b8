import type { Reporter, TestCase, TestModule } from "vitest/node";

/**
 * Ends the run with the tests that were skipped, by file, and those that failed, so that the end of a log says what went
 * wrong. With SERVICES_REQUIRED set, a skipped test fails the run.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    this.#listSkipped(modules);
    const failed = modules.flatMap((module) => [...module.children.allTests("failed")]);
    const broken = modules.filter((module) => module.errors().length > 0);
    if (failed.length + broken.length + errors.length === 0) return;
    console.log(`\nFailed: ${failed.length} tests, ${broken.length} files, ${errors.length} errors outside of tests`);
    for (const test of failed)
      console.log(`  ${test.module.relativeModuleId} > ${test.fullName}\n    ${reasonOf(test)}`);
    for (const module of broken) console.log(`  ${module.relativeModuleId}: ${module.errors()[0]?.message}`);
  }

  #listSkipped(modules: readonly TestModule[]): void {
    const skipped = modules
      .map((module) => ({ file: module.relativeModuleId, count: [...module.children.allTests("skipped")].length }))
      .filter(({ count }) => count > 0);
    if (skipped.length === 0) return;
    const missing = ["DATABASE_URL", "REDIS_URL"].filter((name) => !process.env[name]);
    const reasons = `not set: ${missing.join(", ") || "nothing"}; browser tests need chromium`;
    console.log(`\nSkipped tests that need a service or a browser; ${reasons}`);
    for (const { file, count } of skipped) console.log(`  ${String(count).padStart(4)} in ${file}`);
    if (process.env.SERVICES_REQUIRED) {
      console.log("SERVICES_REQUIRED is set: a skipped test is a failure");
      process.exitCode = 1;
    }
  }
}

function reasonOf(test: TestCase): string {
  return test.result().errors?.[0]?.message.split("\n", 1)[0] ?? "without an error";
}
