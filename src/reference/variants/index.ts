import type { Variant } from "../modification.js";
import { candles } from "./candles.js";
import { listings } from "./listings.js";
import { markets } from "./markets.js";
import { moving } from "./moving.js";
import { orderBook } from "./order-book.js";
import { precision } from "./precision.js";
import { resources } from "./resources.js";
import { streaming } from "./streaming.js";
import { tolerance } from "./tolerance.js";
import { wire } from "./wire.js";

/** Every variant. */
export const variants: readonly Variant[] = [
  ...wire,
  ...resources,
  ...precision,
  ...listings,
  ...markets,
  ...orderBook,
  ...candles,
  ...streaming,
  ...tolerance,
  ...moving,
];
