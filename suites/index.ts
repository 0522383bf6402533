import type { SuiteDefinition } from "../src/verdict/define.js";
import getAllPositions from "./04.1-get-all-positions.check.js";

/** All suites, in the specification's order. */
export const suites: readonly SuiteDefinition[] = [getAllPositions];
