/** The wording of comparisons, in a terminal, in Markdown and on a page. */
import { countOf } from "../judge/judgement.js";
import { sanitize } from "../report/sanitize.js";
import { verdictWords } from "../report/wording.js";
import type { AnswerDifferenceKind, DifferencePlace } from "./answers.js";
import type { Comparison, InteractionsRow, ObservationCell, RuleCell, RuleDifference } from "./comparison.js";
import type { TimesRow } from "./times.js";

/** The verdict of a cell in a word. */
export function verdictWord({ verdict }: Pick<RuleCell, "verdict">): string {
  return verdict === "warn" ? "warned" : verdictWords[verdict];
}

/** The title of a group of rules. If all runs are of one target, differences are called changes. */
export function groupTitle(difference: RuleDifference, { sameTarget, runs }: Comparison): string {
  const first = sanitize(runs[0]?.name ?? "");
  const ofChanges: Readonly<Record<RuleDifference, string>> = {
    newlyFailing: "Newly failing",
    newlyFixed: "Newly fixed",
    failsElsewhere: "Fail on other operations",
    noLongerConclusive: "No longer conclusive",
    newlyConclusive: "Newly conclusive",
    otherwise: "Different verdicts",
    notCompared: "Judged in some of the runs only",
  };
  const ofTargets: Readonly<Record<RuleDifference, string>> = {
    ...ofChanges,
    newlyFailing: `Fail elsewhere, but not in ${first}`,
    newlyFixed: `Fail in ${first}, pass elsewhere`,
    noLongerConclusive: `Conclusive in ${first}, but not elsewhere`,
    newlyConclusive: `Conclusive elsewhere, but not in ${first}`,
  };
  return (sameTarget ? ofChanges : ofTargets)[difference];
}

/** The first sentence about a comparison. */
export function headline({ runs, rules, observations, answers }: Comparison): string {
  const countOfGroups = (groups: typeof rules.groups) => groups.reduce((sum, group) => sum + group.rules.length, 0);
  const notCompared = countOfGroups(rules.groups.filter(({ difference }) => difference === "notCompared"));
  const differing = countOfGroups(rules.groups) - notCompared;
  const of = countOf(rules.judged - notCompared, "rule");
  const kinds = observations.filter(({ difference }) => difference === "kind").length;
  return [
    `${runs.length} runs`,
    differing === 0 ? `the same verdict on each of ${of}` : `${differing} of ${of} differ`,
    ...(notCompared > 0 ? [`${notCompared} judged in some of the runs only`] : []),
    `${kinds} of ${observations.length} observations differ in kind`,
    ...(answers ? [`${answers.differences.length} differences between answers`] : []),
  ].join("; ");
}

/** What the run observed, and what it looked at if that differs from the first run. */
export function cellText(cell: ObservationCell): string {
  if (cell === null) return "not observed";
  return cell.what === undefined ? cell.seen : `${cell.seen} (${cell.what})`;
}

/** Formats milliseconds: `12.3 ms`, `840 ms`. */
function milliseconds(value: number): string {
  return `${value < 100 ? value.toFixed(1) : Math.round(value)} ms`;
}

/** How long an operation took to answer: `12.3 ms / 840 ms`, the median and the 95th percentile. */
export function timesText(cell: TimesRow["cells"][number]): string {
  return cell === null ? "-" : `${milliseconds(cell.medianMs)} / ${milliseconds(cell.p95Ms)}`;
}

/** How many combinations of an operation's fields a run tried: `120 of 126 pairs`. */
export function interactionsText(cell: InteractionsRow["cells"][number]): string {
  return cell === null
    ? "-"
    : `${cell.covered} of ${cell.of} ${{ 1: "classes", 2: "pairs", 3: "triples" }[cell.strength]}`;
}

/** The title of each kind of difference between answers. */
export const answerKindTitles: Readonly<Record<AnswerDifferenceKind, string>> = {
  outcome: "Different outcomes",
  "error-code": "Different error codes",
  "http-status": "Different HTTP statuses",
  rows: "Rows that only one gives",
  value: "Different values",
  missing: "Fields that only one gives",
  type: "Different types",
  computed: "Values computed differently",
  order: "Different order",
  ties: "Different order of ties",
  notation: "Different notation",
  "left-out": "Defaults left out",
  "error-message": "Different error messages",
  "error-members": "Different members of errors",
  headers: "Different headers",
  data: "Different data: not compared",
  moving: "Values that move: not compared",
};

/** Maximum places of a difference that are named. The JSON document has all of them. */
const maxPlaces = 6;

/** Where a difference shows: `GetOrders orders[*].fees, GetPortfolio portfolio.orders[*].fees, and 12 other places`. */
export function placesInWords(places: readonly DifferencePlace[]): string {
  const names = places.map(({ operation, place }) => (place === "" ? operation : `${operation} ${place}`));
  const left = names.length - maxPlaces;
  return [...names.slice(0, maxPlaces), ...(left > 0 ? [`and ${left} other places`] : [])].join(", ");
}

/** Names the rules that a difference violates, or the ruling that leaves it open. */
export function remarkOf(violates: readonly string[], ruling: string | undefined): string {
  if (violates.length > 0) return `, see ${violates.join(", ")}`;
  return ruling === undefined ? "" : `, left open by ${ruling}`;
}
