import type { KeyObject } from "node:crypto";
import { basename, join, resolve } from "node:path";
import { Command } from "commander";
import { exitCodes } from "../report/exit-code.js";
import { UsageError } from "../report/failure.js";
import type { Results } from "../report/results.js";
import { sanitize } from "../report/sanitize.js";
import type { Statement } from "../statement/statement.js";
import type { StatementFiles } from "../statement/statement-files.js";
import { print } from "./output.js";
import { readResultsIn } from "./results-of.js";

interface StatementFlags {
  readonly key?: string;
  readonly out?: string;
  readonly url?: string;
  readonly json?: true;
}

/** `perp-conformance statement DIR`: makes the conformance statement of a run, for others to verify. */
export function statementCommand(): Command {
  return new Command("statement")
    .description("State what a full run came to, signed, for others to verify; or say what it lacks.")
    .argument("<dir>", "the folder of the run (its --out)")
    .option("--key <file>", "private key to sign with, PEM (see keygen); the statement is unsigned without one")
    .option("--url <url>", "where the results are published")
    .option(
      "--out <file>",
      "the statement (default: statement.json in the run's folder); a page and a badge are written next to it",
    )
    .option("--json", "print what was stated, or what is lacking, as one JSON document, and nothing else")
    .addHelpText(
      "after",
      `
Examples:
  perp-conformance run --base-url https://api.example/perps --profile full --config acme.json --out acme
  perp-conformance statement acme --key acme.key
  perp-conformance verify acme/statement.json --key acme.key.pub

The configuration names what was tested: "implementation": { "name": "...", "version": "...", "vendor": "...", ... }.
A run that failed can be stated too. One that left a mandatory rule open cannot: exit code 1, with a table of what would
settle each rule and which entry of the configuration can name it. Rules about optional data
that the target does not show are stated as not exercised.`,
    )
    .action(async (dir: string, flags: StatementFlags) => {
      process.exitCode = await state(dir, flags);
    });
}

async function state(dir: string, flags: StatementFlags): Promise<number> {
  const { catalogueVersion, frozenRequirements } = await import("../specification/requirements.js");
  const { openRules, refusalsOfRun } = await import("../statement/refusals.js");
  const { openRulesTable } = await import("../statement/open-rules-table.js");
  const { recheck } = await import("../session/recheck.js");
  const { makeStatement } = await import("../statement/statement.js");
  const { statementFiles } = await import("../statement/statement-files.js");
  const { rejudgeEvidence } = await import("../run/rejudge.js");

  const { key, url } = await settingsOf(flags);
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
    process.stderr.write(`no statement can be made on this run:\n${lines.join("")}`);
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
  const { statementText } = await import("../statement/statement.js");
  const { writeStatementFiles } = await import("../statement/statement-files.js");
  const { seal, keyId } = await import("../statement/dsse.js");
  const { statementPage } = await import("../statement/page.js");
  const { badge, resultInWords } = await import("../statement/badge.js");
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

async function settingsOf(flags: StatementFlags) {
  const { readKey } = await import("../statement/keys.js");
  if (flags.url !== undefined && !(URL.canParse(flags.url) && /^https?:/i.test(flags.url))) {
    throw new UsageError("--url: it must be an http or https address");
  }
  return { url: flags.url, key: flags.key === undefined ? undefined : readKey(flags.key, "private") };
}
