import { settleLeftOut } from "../engine/every-answer.js";
import type { CheckResult, Finding, Verdict } from "../engine/result.js";

/**
 * The wire rules on every answer are judged in each worker apart; this makes one result of those for the same rule
 * and endpoint, and settles what takes all answers of a run to tell.
 *
 * @param statuses order statuses that discovery has seen
 */
export function mergeEveryAnswer(parts: Iterable<CheckResult>, statuses: readonly string[] = []): CheckResult[] {
  const merged = new Map<string, CheckResult>();
  for (const part of parts) {
    const own = merged.get(part.name);
    merged.set(part.name, own ? join(own, part) : part);
  }
  return settleLeftOut([...merged.values()], statuses);
}

function join(a: CheckResult, b: CheckResult): CheckResult {
  const verdict: Verdict = a.verdict === "pass" ? b.verdict : a.verdict;
  return {
    ...a,
    verdict,
    assertions: a.assertions + b.assertions,
    findings: joinFindings(a.findings, b.findings),
    ...(a.seenValues || b.seenValues ? { seenValues: [...(a.seenValues ?? []), ...(b.seenValues ?? [])] } : {}),
    ...(a.sampled || b.sampled ? { sampled: [...(a.sampled ?? []), ...(b.sampled ?? [])] } : {}),
    exchanges: [...a.exchanges, ...b.exchanges],
  };
}

/** Findings of the same cause (the same place but for array positions) count as one. */
function joinFindings(a: readonly Finding[], b: readonly Finding[]): Finding[] {
  const causeOf = (finding: Finding) => (finding.places[0]?.path ?? "").replace(/\[\d+\]/g, "[*]");
  const joined = new Map(a.map((finding) => [causeOf(finding), finding]));
  for (const finding of b) {
    const own = joined.get(causeOf(finding));
    joined.set(causeOf(finding), own ? { ...own, count: own.count + finding.count } : finding);
  }
  return [...joined.values()];
}
