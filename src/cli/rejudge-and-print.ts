import { conclusionLine } from "../report/console.js";
import { withRanges } from "../report/exchange-ranges.js";
import { exitCode, exitCodes } from "../report/exit-code.js";
import type { Results } from "../report/results.js";
import { sanitize } from "../report/sanitize.js";
import { conclusionInWords } from "../report/wording.js";
import { isOfThisHarness, rejudgeRun, verifyRun } from "../run/rejudge.js";
import { readingsOf } from "../run/selection.js";
import { verdictChanges } from "../session/recheck.js";
import { isOwnRuleId } from "../specification/own-rules.js";
import { readingLines } from "../specification/readings.js";
import { print, wantsColor } from "./output.js";
import { readResultsIn } from "./results-of.js";

/** The options of `rejudge`. */
export interface RejudgeFlags {
  readonly reading: readonly string[];
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/**
 * Judges a run again, and prints which verdicts changed.
 *
 * @returns the exit code
 */
export async function rejudgeAndPrint(dir: string, flags: RejudgeFlags): Promise<number> {
  const { results: before } = await readResultsIn(dir);
  const readings = readingsOf(flags, before.readings);
  await verifyRun(dir, before);

  const chosen = flags.reading.length > 0;
  const asRun = await rejudgeRun(dir, before);
  const after = chosen ? await rejudgeRun(dir, before, readings) : asRun;
  const same = isOfThisHarness(before);
  const contradictions = same ? verdictChanges(before, asRun) : [];
  const style = { color: wantsColor(process.stdout) };
  // Results that contradict their evidence say nothing about what has changed since.
  const lines = [
    ...(contradictions.length > 0 || (same && chosen) ? [] : changesOfHarness(before, asRun)),
    ...(chosen ? changesOfReading(asRun, after) : []),
  ];
  const [contradiction] = contradictions;
  const conclusion =
    contradiction === undefined ? conclusionLine(after, style) : `judged again: ${conclusionInWords(after)}`;
  if (flags.json) print(withRanges(after));
  else process.stdout.write(`${[...(flags.quiet ? [] : lines), conclusion].join("\n")}\n`);
  if (contradiction === undefined) return exitCode(after);
  const code = exitCodes.broken;
  process.stderr.write(`exit ${code}: the results do not follow from their evidence: ${sanitize(contradiction)}\n`);
  return code;
}

/** How verdicts change when another version of the harness judges the same evidence. */
function changesOfHarness(before: Results, after: Results): string[] {
  const lines = changes(before, after);
  const rules = before.specification.catalogueDigest === after.specification.catalogueDigest ? "" : ", other rules";
  const versions = `harness ${before.harness.version} then, ${after.harness.version} now${rules}`;
  return [...lines, `${countOfChanges(lines, after)} (${versions}).`];
}

/** How verdicts change when the text is read in another way. */
function changesOfReading(before: Results, after: Results): string[] {
  const lines = changes(before, after);
  const readings = readingLines(after.readings ?? {}).join(", ") || "the readings of the rulings";
  return [...lines, `${countOfChanges(lines, after)} by ${readings}.`];
}

/** One line for each rule whose verdict changed, or that was added or removed. */
function changes(before: Results, after: Results): string[] {
  // User-defined rules are not judged again: their suites are not in the evidence.
  const verdictsBefore = new Map(
    before.rules.filter(({ id }) => !isOwnRuleId(id)).map(({ id, verdict }) => [id, verdict]),
  );
  const now = new Map(after.rules.map(({ id, verdict }) => [id, verdict]));
  const missing = "not in the catalogue";
  return [...new Set([...now.keys(), ...verdictsBefore.keys()])]
    .filter((id) => verdictsBefore.get(id) !== now.get(id))
    .map((id) => `${id}: ${verdictsBefore.get(id) ?? missing} -> ${now.get(id) ?? missing}`);
}

function countOfChanges(lines: readonly string[], { rules }: Results): string {
  return lines.length === 0
    ? `The same verdict for each of ${rules.length} rules`
    : `${lines.length} of ${rules.length} rules have a different verdict`;
}
