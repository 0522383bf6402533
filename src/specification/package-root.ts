import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The directory of this package's own `package.json`, whether the code runs from its sources or from `dist`: where the
 * schemas are.
 */
export const packageRoot = nearestPackage(dirname(fileURLToPath(import.meta.url)));

function nearestPackage(directory: string): string {
  if (existsSync(join(directory, "package.json"))) return directory;
  const parent = dirname(directory);
  if (parent === directory) throw new Error("perp-conformance is not installed as a package: no package.json above it");
  return nearestPackage(parent);
}
