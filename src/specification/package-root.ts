import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The directory with this package's `package.json` and schemas, whether the code runs from source or from `dist`. */
export const packageRoot = nearestPackage(dirname(fileURLToPath(import.meta.url)));

function nearestPackage(directory: string): string {
  if (existsSync(join(directory, "package.json"))) return directory;
  const parent = dirname(directory);
  if (parent === directory) throw new Error("perp-conformance is not installed as a package: no package.json above it");
  return nearestPackage(parent);
}
