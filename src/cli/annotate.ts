import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { Command, Option } from "commander";
import type { Annotation, SpecificationDifference } from "../annotate/annotation.js";
import { exitCodes } from "../report/exit-code.js";
import { UsageError } from "../report/failure.js";
import { sanitize, sanitizeShort } from "../report/sanitize.js";
import { readUserFile } from "../report/user-file.js";
import { print } from "./output.js";
import { readResultsIn } from "./results-of.js";

interface AnnotateFlags {
  readonly spec: string;
  readonly out?: string;
  readonly json?: boolean;
  readonly failOn?: "difference";
}

const help = `
Each sentence and each row of a table that rules quote is marked with what the run says of it; what no rule covers is marked, and
counted. A document that differs from what the rules quote, such as a newer version, is compared with them: which sentences changed,
are new, are gone or were moved, and which rules that affects.

Exit codes:
  0    annotated
  1    with --fail-on: the document differs
  2    usage error, or the folder holds no run
  3    the evidence is not complete, was altered, or a file could not be written

Examples:
  perp-conformance annotate reports/latest --spec read-api.md
  perp-conformance annotate reports/latest --spec read-api-next.md --fail-on difference`;

/** Maximum characters of a sentence on one line. */
const maxSentence = 100;

/** Maximum differences shown in the terminal. The page has all of them. */
const maxDifferences = 20;

/** Maximum rules named on one line. */
const maxRules = 3;

/** `perp-conformance annotate DIR --spec FILE`: annotates the specification with the results of a run. */
export function annotateCommand(): Command {
  return new Command("annotate")
    .description("Mark each statement of the specification with the verdict of a run, as one HTML page.")
    .argument("<dir>", "the folder of the run (its --out)")
    .requiredOption("--spec <file>", "your copy of the specification, in Markdown")
    .option("--out <file>", "the page (default: annotated.html in the run's folder)")
    .option("--json", "print everything about every statement as one JSON document, and nothing else")
    .addOption(
      new Option("--fail-on <what>", "exit with 1 if the document differs from what the rules quote").choices([
        "difference",
      ]),
    )
    .addHelpText("after", help)
    .action(async (dir: string, flags: AnnotateFlags) => {
      process.exitCode = await annotateRun(dir, flags);
    });
}

async function annotateRun(dir: string, flags: AnnotateFlags): Promise<number> {
  const { annotateSpecification } = await import("../annotate/annotation.js");
  const { maxSpecificationBytes } = await import("../annotate/document.js");
  const { annotatedPage } = await import("../annotate/page.js");
  const { exchangesToShow } = await import("../annotate/page-rules.js");
  const { linksFrom, readExchanges } = await import("../annotate/run-files.js");
  const { checkPage, pageMark } = await import("../files/page.js");
  const { writeWhole } = await import("../files/write.js");
  const { runFiles } = await import("../report/write.js");
  const { verifyRun } = await import("../run/rejudge.js");
  const { knownStatements } = await import("../specification/statements.js");

  const { results } = await readResultsIn(dir);
  const source = readUserFile("--spec:", flags.spec, maxSpecificationBytes);
  const page = resolve(flags.out ?? join(dir, "annotated.html"));
  checkPage(page, pageMark("annotate"));
  const record = results.shards ? runFiles.shards : results.evidence && runFiles.evidence;
  if (record !== undefined && existsSync(join(dir, record))) await verifyRun(dir, results);

  const annotated = annotateSpecification(source, basename(flags.spec), results, knownStatements().statements);
  const { annotation } = annotated;
  const { counts, differences } = annotation;
  if (counts.quotesLost === counts.quotes)
    throw new UsageError(`nothing in ${flags.spec} is quoted by any rule: is it the specification, in Markdown?`);
  const exchanges = readExchanges(dir, results, exchangesToShow(results));
  await writeWhole(page, annotatedPage(annotated, { results, exchanges, links: linksFrom(page, dir) }));

  if (flags.json) print(annotation);
  else process.stdout.write(`${(await linesOf(annotation)).join("\n")}\npage ${page}\n`);
  return flags.failOn === "difference" && differences.length > 0 ? exitCodes.notConformant : exitCodes.conformant;
}

/** What the terminal shows of an annotation: the first differences, the run, and the counts. */
async function linesOf({ counts, differences, run }: Annotation): Promise<string[]> {
  const { statuses, statusTexts } = await import("../annotate/status.js");
  const byStatus = statuses
    .filter((status) => counts.byStatus[status] > 0)
    .map((status) => `${counts.byStatus[status]} ${statusTexts[status].name}`);
  return [
    ...differences.slice(0, maxDifferences).map(differenceLine),
    ...(differences.length > maxDifferences ? [`and ${differences.length - maxDifferences} more: see the page`] : []),
    `${sanitize(run.target.baseUrl)}: ${run.conclusion}, ${run.profile} profile, seed ${run.seed}`,
    `${counts.statements} statements: ${byStatus.join(", ")}`,
    differences.length === 0
      ? `the document has all ${counts.quotes} quotes of the rules, word for word`
      : `the document differs from what the rules quote: ${(["changed", "new", "gone", "moved"] as const)
          .map((kind) => `${counts.differences[kind]} ${kind}`)
          .join(", ")}`,
  ];
}

function differenceLine({ kind, section, line, text, lost, rules }: SpecificationDifference) {
  const place = line === undefined ? section : `${section}, ${kind === "gone" ? "after " : ""}line ${line}`;
  const what = text ?? (lost.map((quote) => `"${quote}"`).join(", ") || "a heading or label");
  const named = rules.slice(0, maxRules);
  const touched = [...named, ...(rules.length > named.length ? [`${rules.length - named.length} more rules`] : [])];
  return `${kind} in ${sanitize(place)}: ${sanitizeShort(what, maxSentence)}${touched.length === 0 ? "" : ` (${touched.join(", ")})`}`;
}
