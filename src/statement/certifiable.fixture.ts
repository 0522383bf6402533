import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Verdict } from "../engine/result.js";
import { sealRecord } from "../evidence/seal.js";
import { temporaryFolder } from "../files/temporary-folder.fixture.js";
import type { RunFacts } from "../report/assemble-results.js";
import { harness, specification } from "../report/identity.js";
import type { Results } from "../report/results.js";
import { checkResult, resultsOf } from "../report/run.fixture.js";
import { runFiles } from "../report/write.js";
import { sessionOf } from "../session/session.fixture.js";
import { writeSession } from "../session/session-file.js";
import { catalogue } from "../specification/catalogue/index.js";
import { catalogueVersion, requirementsOf } from "../specification/requirements.js";

/** The requirements of the catalogue as it is. */
export const requirements = requirementsOf(catalogueVersion);

/** A mandatory rule, one that speaks of something which may be absent, and an advisory one. */
export const MANDATORY = "get-all-positions.limit-default";
export const OPTIONAL = "order.additional-field-types";
export const ADVISORY = "order-book.not-crossed";

/** Who made the server. */
export const implementation = {
  name: "Acme <Exchange>",
  version: "2.1",
  vendor: "Acme & Sons",
  url: "https://acme.example",
};

/** A full run over the whole catalogue in which every rule is settled; `verdicts` has the rules that do not pass. */
export function fullRun(verdicts: Readonly<Record<string, Verdict>> = {}, change: Partial<RunFacts> = {}): Results {
  const seen = catalogue.filter(({ level }) => level !== "unobservable");
  return resultsOf({
    catalogue,
    results: seen.flatMap(({ id, level, endpoints }) => {
      const verdict = verdicts[id] ?? (level === "observation" ? "observed" : "pass");
      // What does not apply was looked for on every operation.
      const looked = verdict === "notApplicable" ? endpoints : endpoints.slice(0, 1);
      return looked.map((endpoint) => checkResult(id, verdict, { endpoint, name: `${id} on ${endpoint}` }));
    }),
    harness,
    specification: specification(),
    target: { baseUrl: "http://127.0.0.1:8080", implementation },
    profile: "full",
    evidence: { digest: "0".repeat(64) },
    ...change,
  });
}

/** A folder with the files of a run: results, and a sealed record of the same session with one exchange. */
export async function certifiableRun(results: Results): Promise<{ dir: string; results: Results; text: string }> {
  const dir = temporaryFolder();
  const evidence = join(dir, runFiles.evidence);
  await mkdir(evidence);
  const { target, profile, seed, selection } = results;
  await writeSession(
    evidence,
    sessionOf({ target: { ...sessionOf().target, baseUrl: target.baseUrl }, profile, seed, selection }),
  );
  await writeFile(join(evidence, "exchanges-1.ndjson"), "{}\n");
  const sealed = { ...results, evidence: { digest: await sealRecord(evidence) } };
  const text = JSON.stringify(sealed);
  await writeFile(join(dir, runFiles.results), text);
  return { dir, results: sealed, text };
}
