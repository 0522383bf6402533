import { anyRuleById } from "../specification/own-rules.js";
import type { Level } from "../specification/rule.js";
import type { AssertionLog } from "./assertion-log.js";
import type { Blocker, Verdict } from "./result.js";
import { Blocked, Halt, Inconclusive, TransportTrouble, Unimplemented } from "./signals.js";
import type { CheckDefinition } from "./suite.js";

/** The ways in which a check may end early without a fault of the harness. */
const signals = [Blocked, Halt, Inconclusive, Unimplemented, TransportTrouble] as const;

/** Whether an attempt ended regularly or by a signal, not by a fault of the harness. */
export function isSignal(end: unknown): boolean {
  return end === undefined || signals.some((signal) => end instanceof signal);
}

/** The verdict of a check (rulings on verdicts): a violation that was seen stands, and seeing nothing is never a pass. */
export function conclude(
  { rule, endpoint }: CheckDefinition,
  level: Level,
  log: AssertionLog,
  recorded: number,
  end: unknown,
): { verdict: Verdict; message?: string; blockedBy?: Blocker } {
  const fault = isSignal(end) ? undefined : `the harness broke: ${faultInWords(end)}`;
  if (level !== "observation" && log.violated) {
    return { verdict: level === "mandatory" ? "fail" : "warn", ...(fault !== undefined && { message: fault }) };
  }
  if (fault !== undefined) return { verdict: "error", message: fault };
  if (level === "observation" && recorded > 0) return { verdict: "observed" };
  if (end instanceof Blocked || (end instanceof Unimplemented && end.blocker.operation !== endpoint))
    return { verdict: "blocked", message: end.message, blockedBy: end.blocker };
  if (end instanceof TransportTrouble) return { verdict: "error", message: end.message };
  if (end instanceof Unimplemented) return { verdict: "unimplemented", message: end.message };
  if (end instanceof Inconclusive) return { verdict: "inconclusive", message: end.message };
  if (level !== "observation" && log.assertions > 0) return { verdict: "pass" };
  const { missing, searched } = log;
  if (searched && anyRuleById(rule).mayBeAbsent === undefined) {
    return {
      verdict: "error",
      message: `the harness broke: a judge looked for something optional, but ${rule} has no \`mayBeAbsent\``,
    };
  }
  if (missing === undefined && searched && searched.places > 0) {
    const places = `${searched.places.toLocaleString("en-US")} ${searched.places === 1 ? "place" : "places"}`;
    const message = `looked in ${places} of ${endpoint} for ${searched.what}, and found none`;
    return { verdict: "notApplicable", message };
  }
  return {
    verdict: "inconclusive",
    message: missing ?? (searched ? `needs ${searched.what}` : "no data was seen on which the rule could be asserted"),
  };
}

/** An exception on one line: what it says, and where in the code it was thrown. */
function faultInWords(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault);
  const where = /^ +at (.*)$/m.exec(fault.stack ?? "")?.[1];
  return `${fault.name}: ${fault.message}${where === undefined ? "" : ` (at ${where})`}`;
}
