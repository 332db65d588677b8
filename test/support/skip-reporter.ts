import type { Reporter, TestModule } from "vitest/node";

/** Lists the skipped tests at the end of the run. With SERVICES_REQUIRED set, a skipped test fails the run. */
export default class SkipReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) => [...module.children.allTests("skipped")]);
    if (skipped.length === 0) return;
    const missing = ["DATABASE_URL", "REDIS_URL"].filter((name) => !process.env[name]);
    const reasons = `not set: ${missing.join(", ") || "nothing"}; browser tests need chromium`;
    console.log(`\nSkipped ${skipped.length} tests that need a service or a browser; ${reasons}`);
    for (const test of skipped) console.log(`  ${test.fullName}`);
    if (process.env.SERVICES_REQUIRED) {
      console.log("SERVICES_REQUIRED is set: a skipped test is a failure");
      process.exitCode = 1;
    }
  }
}
