import { createRequire } from "node:module";
import type { DetectionPower } from "./detection-power.js";

/** What the last complete proof came to. Written by `npm run pin`. */
export const publishedPower: DetectionPower = createRequire(import.meta.url)("./published-power.json");
