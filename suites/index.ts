import type { SuiteDefinition } from "../src/verdict/define.js";
import orderBook from "./02-order-book.check.js";
import getAllPositions from "./04.1-get-all-positions.check.js";
import getOrderBook from "./04.6-get-order-book.check.js";

/** All suites, in the specification's order. */
export const suites: readonly SuiteDefinition[] = [orderBook, getAllPositions, getOrderBook];
