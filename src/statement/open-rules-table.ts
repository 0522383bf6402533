import { countOf } from "../judge/judgement.js";
import { sanitizeShort } from "../report/sanitize.js";
import type { OpenRule } from "./refusals.js";

/** Maximum length of a reason in the table. The results have it in full. */
const maxReason = 200;

const heads = ["rule", "verdict", "configuration", "settled by"] as const;

/**
 * The rules that a run left open, as a table for a terminal; empty if there are none. Each rule has a line with its verdict,
 * the entry of the configuration that can provide what is missing, and what that is. A second line has the run's reason,
 * unless it is in the first one.
 *
 * @param required number of mandatory rules
 */
export function openRulesTable(open: readonly OpenRule[], required: number): string[] {
  if (open.length === 0) return [];
  const rows = open.map(({ id, verdict, configuration, settledBy, reason }) => ({
    cells: [id, verdict, configuration.join(", ") || "-", settledBy ?? sanitizeShort(reason, maxReason)] as const,
    reason: settledBy === undefined ? undefined : sanitizeShort(reason, maxReason),
  }));
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...rows.map(({ cells }) => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `  ${cells.map((cell, column) => (column === cells.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join("  ")}`;
  const indent = line(["", "", "", ""]);
  return [
    `${open.length} of ${required} mandatory rules came to no conclusion:`,
    line(heads),
    ...rows.flatMap(({ cells, reason }) => [line(cells), ...(reason === undefined ? [] : [`${indent}(${reason})`])]),
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
