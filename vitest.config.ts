import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { TimingFirst } from "./src/run/sequencer.js";

/**
 * Plain `npx vitest` runs the unit tests; with `CONFORMANCE_BASE_URL` set it also runs the conformance suites against
 * that target, all of them or by file or `-t`, with the same verdicts as the command line gives.
 */
const suitesToo = process.env.CONFORMANCE_BASE_URL !== undefined;

/** Tests that make whole runs, some of them with the binary: they write into a folder that is removed when all have ended. */
const wholeRuns = "src/{e2e,run}/**/*.test.ts";
const globalSetup = ["src/e2e/global-setup.ts"];
const suitesHere = fileURLToPath(new URL("./src/e2e/suites-here.fixture.ts", import.meta.url));
const unitTests = "{src,suites/support}/**/*.test.ts";

export default defineConfig({
  test: {
    ...(suitesToo && { include: [unitTests, "suites/*.check.ts"] }),
    globalSetup: suitesToo ? ["src/run/vitest-global-setup.ts"] : [],
    setupFiles: suitesToo ? ["src/run/vitest-setup.ts"] : [],
    pool: "threads",
    maxConcurrency: 50,
    ...(suitesToo
      ? {}
      : {
          // Many unit tests wait for a process of their own: one more than there are cores keeps them busy.
          maxWorkers: availableParallelism() + 1,
          projects: [
            // Files share what they import, which would take as long again to load for each of them.
            {
              extends: true,
              // Vitest in vitest: a run in the process of the tests makes its checks in their thread instead.
              resolve: { alias: [{ find: /^\.\/run-suites\.js$/, replacement: suitesHere }] },
              test: { name: "e2e", include: [wholeRuns], isolate: false, globalSetup },
            },
            {
              extends: true,
              test: { name: "unit", include: [unitTests], exclude: [wholeRuns], isolate: false, globalSetup },
            },
          ],
        }),
    testTimeout: 120_000,
    hookTimeout: 120_000,
    sequence: { sequencer: TimingFirst },
    reporters: process.env.CI ? ["default", ["json", { outputFile: "reports/unit-tests.json" }]] : ["default"],
  },
});
