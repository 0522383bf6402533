import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { TimingFirst } from "./src/run/sequencer.js";

/**
 * Plain `npx vitest` runs the unit tests; with `CONFORMANCE_BASE_URL` set it also runs the conformance suites against
 * that target, all of them or by file or `-t`, with the same verdicts as the command line gives.
 */
const suitesToo = process.env.CONFORMANCE_BASE_URL !== undefined;

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", ...(suitesToo ? ["suites/*.check.ts"] : [])],
    globalSetup: suitesToo ? ["src/run/vitest-global-setup.ts"] : [],
    setupFiles: suitesToo ? ["src/run/vitest-setup.ts"] : [],
    pool: "threads",
    maxConcurrency: 50,
    // Many unit tests wait for a process of their own: they leave no core to spare.
    ...(suitesToo ? {} : { maxWorkers: Math.max(2, availableParallelism()) }),
    testTimeout: 120_000,
    sequence: { sequencer: TimingFirst },
    reporters: process.env.CI ? ["default", ["json", { outputFile: "reports/unit-tests.json" }]] : ["default"],
  },
});
