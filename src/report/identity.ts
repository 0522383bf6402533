import { readFileSync } from "node:fs";
import { join } from "node:path";
import { catalogueDigest } from "../specification/catalogue/index.js";
import { packageRoot } from "../specification/package-root.js";
import { specificationVersion } from "../specification/statements.js";
import type { Identity, Results } from "./results.js";

const { name, version } = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8")) as Identity;

/** The name and version of this package. */
export const harness: Identity = { name, version };

/** The specification that verdicts refer to, with the digest of its catalogue of rules (§9). */
export function specification(): Results["specification"] {
  return { name: "perpetuals read API", version: specificationVersion, catalogueDigest: catalogueDigest() };
}
