import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findDeparture } from "../reference/departures.js";
import { startReferenceServer } from "../reference/server.js";
import { MUTANT, perpIn, RULE, scratchFolder } from "./binary.fixture.js";

describe("on GitHub Actions", () => {
  test("a run annotates what failed, and appends its summary to that of the job", async () => {
    const departure = findDeparture("mutant", MUTANT);
    if (!departure) throw new Error(`there is no mutant ${MUTANT}`);
    const server = await startReferenceServer({ departure });
    try {
      const summary = join(await scratchFolder(), "summary of the step.md");
      await appendFile(summary, "What was there before\n");
      const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary };
      const args = ["run", "--base-url", server.url, "--rule", RULE, "--no-report", "--quiet"];
      const { code, stdout, out } = await perpIn({ env }, args);
      expect(code).toBe(1);
      expect(stdout).toMatch(/^::error title=get-all-positions\.limit-default on GetAllPositions::.*%0Aseen: 49%0A/m);
      expect(stdout).toMatch(/^::notice title=perp-conformance::NOT CONFORMANT/m);
      const page = await readFile(summary, "utf8");
      expect(page).toBe(`What was there before\n${await readFile(join(out, "summary.md"), "utf8")}\n`);
    } finally {
      await server.close();
    }
  });
});
