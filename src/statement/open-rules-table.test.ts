import { expect, test } from "vitest";
import { openRulesTable } from "./open-rules-table.js";

test("open rules are a table: what would settle each, and the entry of the configuration that can name it", () => {
  const lines = openRulesTable(
    [
      {
        id: "get-orders.all-markets",
        verdict: "inconclusive",
        reason: "no such wallet was found",
        settledBy: "a wallet with orders in two markets",
        configuration: ["subjects.wallets"],
      },
      { id: "errors.shape", verdict: "inconclusive", reason: "nothing was refused", configuration: [] },
    ],
    169,
  );
  expect(lines).toEqual([
    "2 of 169 mandatory rules came to no conclusion:",
    "  rule                    verdict       configuration     settled by",
    "  get-orders.all-markets  inconclusive  subjects.wallets  a wallet with orders in two markets",
    "                                                          (no such wallet was found)",
    "  errors.shape            inconclusive  -                 nothing was refused",
    "What the listings do not show, the configuration of the run can name (see init): subjects.wallets (1 rule).",
  ]);
  expect(openRulesTable([], 169)).toEqual([]);
});

test("rules that were not run are only counted", () => {
  const notRun = { verdict: "not run", reason: "not selected", configuration: [] };
  expect(
    openRulesTable(
      [
        { id: "one", ...notRun },
        { id: "two", ...notRun },
      ],
      2,
    ),
  ).toEqual([
    "2 of 2 mandatory rules came to no conclusion:",
    "  2 rules not run: settled by a whole run in the full profile",
  ]);
});
