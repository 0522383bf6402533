import { createRequire } from "node:module";

/** The checks known to kill each mutant, by the mutant's name. Written by `npm run pin`. */
export const detections: Readonly<Record<string, readonly string[]>> = createRequire(import.meta.url)(
  "./detections.json",
);
