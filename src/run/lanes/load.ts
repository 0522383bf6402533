import { inject } from "vitest";
import type { SuiteDefinition } from "../../engine/suite.js";

declare module "vitest" {
  interface ProvidedContext {
    /** The files of the suites that were asked for, without `.check.js`, by lane. */
    suites: Readonly<Record<SuiteDefinition["lane"], readonly string[]>>;
  }
}

/** Registers the suites of a lane. They make one file for vitest, so that the checks of one suite fill the waits of another. */
export async function loadLane(lane: SuiteDefinition["lane"]): Promise<void> {
  for (const name of inject("suites")[lane]) await import(`../../../suites/${name}.check.js`);
}
