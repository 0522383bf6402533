import type { Verdict } from "../engine/result.js";
import { endpointNames } from "../specification/endpoints.js";
import { aligned } from "./aligned.js";
import { type CheckEntry, type Results, reportedVerdicts } from "./results.js";
import { conclusionInWords } from "./wording.js";

/** Column titles of the verdicts that are no word by themselves. */
const columnTitles: Readonly<Partial<Record<Verdict, string>>> = {
  notApplicable: "not applicable",
  notRun: "not run",
};

/** A table of several targets: rules by verdict, conclusion and exit code. */
export function targetsTable(
  targets: readonly { readonly name: string; readonly results: Results; readonly code: number }[],
): string {
  const columns = reportedVerdicts.filter((verdict) =>
    targets.some(({ results }) => results.summary.verdicts[verdict] > 0),
  );
  const rows = targets.map(({ name, results, code }) => [
    name,
    ...columns.map((verdict) => String(results.summary.verdicts[verdict] || "-")),
    conclusionInWords(results),
    String(code),
  ]);
  return aligned(
    [["Target", ...columns.map((verdict) => columnTitles[verdict] ?? verdict), "conclusion", "exit code"], ...rows],
    1,
  );
}

/** A table of checks by endpoint and verdict. Verdicts that no check has are left out. */
export function endpointTable({ rules }: Results): string {
  const all = rules.flatMap(({ checks }) => checks);
  if (all.length === 0) return "";
  const columns = reportedVerdicts.filter((verdict) => all.some((check) => check.verdict === verdict));
  const rowOf = (name: string, checks: readonly CheckEntry[]) => [
    name,
    ...columns.map((verdict) => String(checks.filter((check) => check.verdict === verdict).length || "-")),
  ];
  const rows = endpointNames.flatMap((name) => {
    const checks = all.filter(({ endpoint }) => endpoint === name);
    return checks.length > 0 ? [rowOf(name, checks)] : [];
  });
  if (rows.length > 1) rows.push(rowOf("all", all));
  return aligned([["Checks", ...columns.map((verdict) => columnTitles[verdict] ?? verdict)], ...rows], 1);
}
