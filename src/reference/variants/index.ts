import type { Variant } from "../departure.js";
import { candles } from "./candles.js";
import { markets } from "./markets.js";
import { orderBook } from "./order-book.js";
import { streaming } from "./streaming.js";
import { wire } from "./wire.js";

/** Every variant. */
export const variants: readonly Variant[] = [...wire, ...markets, ...orderBook, ...candles, ...streaming];
