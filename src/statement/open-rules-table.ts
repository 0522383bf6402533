import { countOf } from "../judge/judgement.js";
import { aligned } from "../report/aligned.js";
import { sanitizeShort } from "../report/sanitize.js";
import { verdictWords } from "../report/wording.js";
import type { OpenRule } from "./refusals.js";

/** Maximum length of a reason in the table. The results have it in full. */
const maxReason = 200;

/**
 * The rules that a run left open, as a table for a terminal; empty if there are none. Each rule has a line with its verdict,
 * the entry of the configuration that can provide what is missing, and what that is. A second line has the run's reason,
 * unless it is in the first one. Rules that were not run are only counted: another run settles all of them.
 *
 * @param required number of mandatory rules
 */
export function openRulesTable(open: readonly OpenRule[], required: number): string[] {
  if (open.length === 0) return [];
  const unsettled = open.filter(({ verdict }) => verdict !== verdictWords.notRun);
  const rows = unsettled.flatMap(({ id, verdict, configuration, settledBy, reason }) => {
    const why = sanitizeShort(reason, maxReason);
    return [
      [id, verdict, configuration.join(", ") || "-", settledBy ?? why],
      ...(settledBy === undefined ? [] : [["", "", "", `(${why})`]]),
    ];
  });
  const table = aligned([["rule", "verdict", "configuration", "settled by"], ...rows]);
  return [
    `${open.length} of ${required} mandatory rules came to no conclusion:`,
    ...(unsettled.length > 0 ? table.split("\n").map((line) => `  ${line}`) : []),
    ...(unsettled.length < open.length
      ? [`  ${countOf(open.length - unsettled.length, "rule")} not run: settled by a whole run in the full profile`]
      : []),
    ...byConfiguration(open),
  ];
}

/** How many of the rules each entry of the configuration can settle. */
function byConfiguration(open: readonly OpenRule[]): string[] {
  const entries = [...new Set(open.flatMap(({ configuration }) => configuration))].sort();
  if (entries.length === 0) return [];
  const counts = entries.map(
    (entry) =>
      `${entry} (${countOf(open.filter(({ configuration }) => configuration.includes(entry)).length, "rule")})`,
  );
  return [`What the listings do not show, the configuration of the run can name (see init): ${counts.join(", ")}.`];
}
