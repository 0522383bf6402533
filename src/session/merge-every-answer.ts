import { excuseOmittedEnum } from "../engine/every-answer.js";
import type { CheckResult, Verdict, ViolationGroup } from "../engine/result.js";

/**
 * Each worker judges the wire rules on every answer separately. This merges its results by rule and endpoint, and settles
 * what needs all answers of a run (omitted enum values).
 *
 * @param statuses order statuses seen by discovery
 */
export function mergeEveryAnswer(parts: Iterable<CheckResult>, statuses: readonly string[] = []): CheckResult[] {
  const merged = new Map<string, CheckResult>();
  for (const part of settled([...parts])) {
    const earlier = merged.get(part.name);
    merged.set(part.name, earlier ? join(earlier, part) : part);
  }
  return excuseOmittedEnum([...merged.values()], statuses);
}

/**
 * Settles the results that count only while the data stand still (P3): none does if the data moved for any worker. Of
 * several with the same name the last is taken, which includes the earlier ones.
 */
function settled(parts: readonly CheckResult[]): readonly CheckResult[] {
  const hasMoved = parts.some(({ moved }) => moved);
  return parts.flatMap(({ moved, ...part }, index) => {
    if (moved === undefined) return [part];
    const isLast = parts.findLastIndex(({ name }) => name === part.name) === index;
    return hasMoved || !isLast ? [] : [part];
  });
}

function join(a: CheckResult, b: CheckResult): CheckResult {
  const verdict: Verdict = a.verdict === "pass" ? b.verdict : a.verdict;
  return {
    ...a,
    verdict,
    assertions: a.assertions + b.assertions,
    violations: joinFindings(a.violations, b.violations),
    ...((a.seenValues || b.seenValues) && { seenValues: [...(a.seenValues ?? []), ...(b.seenValues ?? [])] }),
    ...((a.sampled || b.sampled) && { sampled: [...(a.sampled ?? []), ...(b.sampled ?? [])] }),
    exchanges: [...a.exchanges, ...b.exchanges],
  };
}

/** Merges findings with the same cause, that is, the same path apart from array indices. */
function joinFindings(a: readonly ViolationGroup[], b: readonly ViolationGroup[]): ViolationGroup[] {
  const causeOf = (violation: ViolationGroup) => (violation.places[0]?.path ?? "").replace(/\[\d+\]/g, "[*]");
  const joined = new Map(a.map((violation) => [causeOf(violation), violation]));
  for (const violation of b) {
    const earlier = joined.get(causeOf(violation));
    joined.set(causeOf(violation), earlier ? { ...earlier, count: earlier.count + violation.count } : violation);
  }
  return [...joined.values()];
}
