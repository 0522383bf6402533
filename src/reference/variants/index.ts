import type { Variant } from "../departure.js";
import { wire } from "./wire.js";

/** Every variant. */
export const variants: readonly Variant[] = [...wire];
