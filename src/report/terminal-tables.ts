import type { Verdict } from "../engine/result.js";
import { type Endpoint, endpointNames } from "../specification/endpoints.js";
import { aligned } from "./aligned.js";
import { checkEntriesOf, type Results, reportedVerdicts } from "./results.js";
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
export function endpointTable(results: Results): string {
  const counts = new Map<Endpoint, Map<Verdict, number>>();
  for (const { check } of checkEntriesOf(results)) {
    const row = counts.get(check.endpoint) ?? new Map<Verdict, number>();
    counts.set(check.endpoint, row.set(check.verdict, (row.get(check.verdict) ?? 0) + 1));
  }
  if (counts.size === 0) return "";
  const columns = reportedVerdicts.filter((verdict) => [...counts.values()].some((row) => row.has(verdict)));
  const rows = endpointNames.flatMap((endpoint) => {
    const row = counts.get(endpoint);
    return row ? [[endpoint, ...columns.map((verdict) => row.get(verdict) ?? 0)]] : [];
  });
  const total = columns.map((verdict) => [...counts.values()].reduce((sum, row) => sum + (row.get(verdict) ?? 0), 0));
  const cells = [...rows, ...(rows.length > 1 ? [["all", ...total]] : [])].map((row) =>
    row.map((cell) => String(cell || "-")),
  );
  return aligned([["Checks", ...columns.map((verdict) => columnTitles[verdict] ?? verdict)], ...cells], 1);
}
