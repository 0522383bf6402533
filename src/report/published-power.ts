import { createRequire } from "node:module";
import type { DetectionPower } from "./detection-power.js";

/** The figures of the last complete proof. Written by `npm run pin`. */
export const publishedPower: DetectionPower = createRequire(import.meta.url)("./published-power.json");
