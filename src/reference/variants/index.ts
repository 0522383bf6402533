import type { Variant } from "../departure.js";
import { orderBook } from "./order-book.js";
import { streaming } from "./streaming.js";
import { wire } from "./wire.js";

/** Every variant. */
export const variants: readonly Variant[] = [...wire, ...orderBook, ...streaming];
