/**
 * Aligns rows of cells in columns: texts to the left, numbers to the right.
 *
 * @param numbersFrom the index of the first column of numbers
 */
export function aligned(rows: readonly (readonly string[])[], numbersFrom = Number.POSITIVE_INFINITY): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const pad = (cell: string, column: number) =>
    column < numbersFrom ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(pad).join("  ").trimEnd()).join("\n");
}
