import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { withHost } from "../engine/host.js";
import type { SuiteDefinition } from "../engine/suite.js";
import { UsageError } from "../report/failure.js";
import { readUserFile } from "../report/user-file.js";
import { type CheckInfo, checkInfosOf } from "../session/suites.js";
import { anyRuleById, isOwnRuleId } from "../specification/own-rules.js";
import type { Rule } from "../specification/rule.js";

/** The contents of user suites. */
export interface OwnSuites {
  readonly checks: readonly CheckInfo[];
  /** The rules that their checks cover, by id. */
  readonly rules: readonly Rule[];
}

/** Maximum size of the file of a suite, in bytes: what is larger was not written by hand. */
const maxBytes = 1024 * 1024;

/**
 * Checks that the files of user suites can be read and are no larger than source code is.
 *
 * @throws UsageError when one of them is not accepted
 */
export function checkSuiteFiles(files: readonly string[]): void {
  for (const file of files) readUserFile("the suite", file, maxBytes);
}

/**
 * Loads user suites as data, without running their checks. They may be TypeScript, and import this very package.
 *
 * @param files absolute paths
 * @throws UsageError when one of them cannot be loaded
 */
export async function loadOwnSuites(files: readonly string[]): Promise<OwnSuites> {
  if (files.length === 0) return { checks: [], rules: [] };
  checkSuiteFiles(files);
  const { createViteServer } = await import("vitest/node");
  const server = await createViteServer({
    configFile: false,
    logLevel: "silent",
    appType: "custom",
    server: { middlewareMode: true, watch: null, ws: false, hmr: false },
    optimizeDeps: { noDiscovery: true, include: [] },
    resolve: {
      alias: [{ find: /^perp-conformance$/, replacement: fileURLToPath(new URL("../index.js", import.meta.url)) }],
    },
  });
  const suites: SuiteDefinition[] = [];
  const load = async (file: string) => {
    await server.ssrLoadModule(file).catch((error: unknown) => {
      const [first = ""] = stripVTControlCharacters(error instanceof Error ? error.message : String(error)).split("\n");
      throw new UsageError(`the suite ${file} cannot be loaded: ${first}`);
    });
  };
  try {
    const collect = (suite: SuiteDefinition) => void suites.push(suite);
    await withHost(collect, async () => {
      for (const file of files) await load(file);
    });
  } finally {
    await server.close();
  }
  const checks = checkInfosOf(suites);
  const ids = [...new Set(checks.map(({ rule }) => rule))].filter(isOwnRuleId).sort();
  return { checks, rules: ids.map((id) => anyRuleById(id)) };
}
