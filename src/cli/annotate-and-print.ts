import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { type Annotation, annotateSpecification, type SpecificationDifference } from "../annotate/annotation.js";
import { maxSpecificationBytes } from "../annotate/document.js";
import { annotatedPage } from "../annotate/page.js";
import { exchangesToShow } from "../annotate/page-rules.js";
import { linksFrom, readExchanges } from "../annotate/run-files.js";
import { statuses, statusTexts } from "../annotate/status.js";
import { checkPage, pageMark } from "../files/page.js";
import { writeWhole } from "../files/write.js";
import { exitCodes } from "../report/exit-code.js";
import { UsageError } from "../report/failure.js";
import { sanitize, sanitizeShort } from "../report/sanitize.js";
import { readUserFile } from "../report/user-file.js";
import { runFiles } from "../report/write.js";
import { verifyRun } from "../run/rejudge.js";
import { knownStatements } from "../specification/statements.js";
import { print } from "./output.js";
import { readResultsIn } from "./results-of.js";

/** The options of `annotate`. */
export interface AnnotateFlags {
  readonly spec: string;
  readonly out?: string;
  readonly json?: boolean;
  readonly failOn?: "difference";
}

/** Maximum characters of a sentence on one line. */
const maxSentence = 100;

/** Maximum differences shown in the terminal. The page has all of them. */
const maxDifferences = 20;

/** Maximum rules named on one line. */
const maxRules = 3;

/**
 * Annotates the specification with the results of a run, and prints what differs.
 *
 * @returns the exit code
 */
export async function annotateAndPrint(dir: string, flags: AnnotateFlags): Promise<number> {
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
  else process.stdout.write(`${linesOf(annotation).join("\n")}\npage ${page}\n`);
  return flags.failOn === "difference" && differences.length > 0 ? exitCodes.notConformant : exitCodes.conformant;
}

/** What the terminal shows of an annotation: the first differences, the run, and the counts. */
function linesOf({ counts, differences, run }: Annotation): string[] {
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
