import type { Mutant } from "../departure.js";

/** Servers that break one rule of §4.1. */
export const getAllPositions: readonly Mutant[] = [
  {
    kind: "mutant",
    name: "get-all-positions-default-49",
    summary: "GetAllPositions returns pages of 49 when no limit is given.",
    breaks: "get-all-positions.limit-default",
    request: (endpoint, json) =>
      endpoint === "GetAllPositions" && !("limit" in json) ? { ...json, limit: 49 } : undefined,
  },
  {
    kind: "mutant",
    name: "get-all-positions-ascending",
    summary: "GetAllPositions lists the oldest positions first.",
    breaks: "get-all-positions.sorted-by-timestamp",
    rows: { positions: (endpoint, rows) => (endpoint === "GetAllPositions" ? [...rows].reverse() : rows) },
  },
];
