import type { KeyObject } from "node:crypto";
import { basename, join, resolve } from "node:path";
import { exitCodes } from "../report/exit-code.js";
import { UsageError } from "../report/failure.js";
import type { Results } from "../report/results.js";
import { sanitize } from "../report/sanitize.js";
import { rejudgeEvidence } from "../run/rejudge.js";
import { recheck } from "../session/recheck.js";
import { catalogueVersion, frozenRequirements } from "../specification/requirements.js";
import { badge, resultInWords } from "../statement/badge.js";
import { keyId, seal } from "../statement/dsse.js";
import { readKey } from "../statement/keys.js";
import { openRulesTable } from "../statement/open-rules-table.js";
import { statementPage } from "../statement/page.js";
import { openRules, refusalsOfRun } from "../statement/refusals.js";
import { makeStatement, type Statement, statementText } from "../statement/statement.js";
import { type StatementFiles, statementFiles, writeStatementFiles } from "../statement/statement-files.js";
import { print } from "./output.js";
import { readResultsIn } from "./results-of.js";

/** The options of `statement`. */
export interface StatementFlags {
  readonly key?: string;
  readonly out?: string;
  readonly url?: string;
  readonly json?: true;
}

/**
 * Issues the statement of a run, or prints what the run lacks.
 *
 * @returns the exit code
 */
export async function issueStatement(dir: string, flags: StatementFlags): Promise<number> {
  const { key, url } = settingsOf(flags);
  const files = statementFiles(resolve(flags.out ?? join(dir, "statement.json")));
  const { results, digest: resultsDigest } = await readResultsIn(dir);
  const requirements = frozenRequirements(catalogueVersion);
  if (requirements === undefined) throw new Error(`there are no frozen requirements ${catalogueVersion} in schemas/`);
  const open = openRules(results, requirements);
  const refusals = refusalsOfRun(results, requirements);
  const lacking = [...refusals, ...openRulesTable(open, requirements.mandatory.length)];
  const contradictions = lacking.length > 0 ? [] : await recheck(dir, results, rejudgeEvidence);
  const problems = [...lacking, ...contradictions];
  if (problems.length === 0) {
    await writeStatement(makeStatement({ results, resultsDigest, requirements, url }), results, files, key, flags);
    return exitCodes.conformant;
  }
  const exitCode = exitCodes.notConformant;
  if (flags.json) {
    const refused = [...refusals, ...contradictions];
    print({ format: "perp-conformance/stated", formatVersion: 1, exitCode, refused, open } as const);
  } else {
    const lines = problems.map((line) => `  ${sanitize(line)}\n`);
    process.stderr.write(`no statement can be issued for this run:\n${lines.join("")}`);
  }
  return exitCode;
}

/** Writes a statement, signed if there is a key, with its page and badge, and prints what was stated. */
async function writeStatement(
  statement: Statement,
  results: Results,
  files: StatementFiles,
  key: KeyObject | undefined,
  { json }: StatementFlags,
): Promise<void> {
  const text = statementText(statement);
  const signer = key ? keyId(key) : undefined;
  await writeStatementFiles(files, {
    statement: key ? `${JSON.stringify(seal(text, key), undefined, 2)}\n` : text,
    page: statementPage(statement, { file: basename(files.statement), keyId: signer }, results),
    badge: badge(statement),
  });
  const {
    result,
    perpConformance: { implementation },
  } = statement.predicate;
  if (json) {
    const outcome = { exitCode: exitCodes.conformant, result, implementation, ...(signer && { keyId: signer }), files };
    print({ format: "perp-conformance/stated", formatVersion: 1, ...outcome } as const);
    return;
  }
  const { name, version } = implementation;
  const stated = `${name} ${version}: ${resultInWords(statement)}, ${signer ? `signed by ${signer}` : "not signed (--key)"}`;
  process.stdout.write(
    [sanitize(stated), `statement ${files.statement}`, `page      ${files.page}`, `badge     ${files.badge}`, ""].join(
      "\n",
    ),
  );
}

function settingsOf(flags: StatementFlags) {
  if (flags.url !== undefined && !(URL.canParse(flags.url) && /^https?:/i.test(flags.url))) {
    throw new UsageError("--url: it must be an http or https address");
  }
  return { url: flags.url, key: flags.key === undefined ? undefined : readKey(flags.key, "private") };
}
