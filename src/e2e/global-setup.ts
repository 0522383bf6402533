import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** A folder that all tests put theirs into. */
    scratch: string;
  }
}

/** Makes the folder of the tests; it is removed when they end. */
export default function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "perp-conformance-tests-"));
  provide("scratch", folder);
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
