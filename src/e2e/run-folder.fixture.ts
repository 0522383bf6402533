import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resolveTarget } from "../config/config.js";
import { packRecord } from "../evidence/pack.js";
import { sealRecord } from "../evidence/seal.js";
import { startReferenceServer } from "../reference/server.js";
import { harness, specification } from "../report/identity.js";
import type { Results } from "../report/results.js";
import { resultsOf } from "../report/run.fixture.js";
import { runFiles, writeReports } from "../report/write.js";
import { rejudgeEvidence } from "../run/rejudge.js";
import { openEnvironment } from "../session/open-environment.js";
import { runDirect } from "../session/run-direct.js";
import { openSession } from "../session/session.js";
import type { Selection } from "../session/session-data.js";
import { startModified } from "./servers.fixture.js";

/**
 * Makes a run of some rules in this process, on a small reference server, and writes what other commands read of it: results
 * and sealed evidence. It is the only shard of its run, so that it can be merged as well.
 *
 * @param mutant what the server does wrong
 */
export async function recordRun(dir: string, rules: readonly string[], mutant?: string): Promise<Results> {
  const data = { orders: 60 };
  const server = await (mutant === undefined ? startReferenceServer(data) : startModified(mutant, data));
  try {
    const { target } = resolveTarget({ flags: { baseUrl: server.url }, env: {}, cwd: tmpdir() });
    const selection: Selection = { rules, suites: [], shard: { index: 1, count: 1 } };
    const recordDir = join(dir, runFiles.evidence);
    await mkdir(recordDir, { recursive: true });
    const session = await openSession({ target, profile: "quick", seed: 1, selection, recordDir });
    const environment = openEnvironment(session, "worker-1", { still: true });
    await runDirect(session, environment, { concurrency: 8 });
    await environment.close();
    await packRecord(recordDir);
    const evidence = { digest: await sealRecord(recordDir) };
    const { baseUrl } = target;
    const results = await rejudgeEvidence(
      recordDir,
      resultsOf({ harness, specification: specification(), target: { baseUrl }, evidence }),
    );
    await writeReports(dir, results);
    await mkdir(join(dir, runFiles.allureResults));
    await writeFile(join(dir, runFiles.allureResults, "environment.properties"), "");
    return results;
  } finally {
    await server.close();
  }
}
