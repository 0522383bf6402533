import { createRequire } from "node:module";

/** Checks that are known to find a mutant, by the mutant's name. Written by `npm run pin`. */
export const detections: Readonly<Record<string, readonly string[]>> = createRequire(import.meta.url)(
  "./detections.json",
);
