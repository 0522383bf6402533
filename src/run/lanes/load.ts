import { inject } from "vitest";
import type { Lane } from "../../engine/suite.js";

declare module "vitest" {
  interface ProvidedContext {
    /** The selected suite files by lane, without `.check.js`. */
    suites: Readonly<Record<Lane, readonly string[]>>;
  }
}

/** Registers the suites of a lane as one vitest file, so that checks of one suite run while those of another wait. */
export async function loadLane(lane: Lane): Promise<void> {
  for (const name of inject("suites")[lane]) await import(`../../../suites/${name}.check.js`);
}
