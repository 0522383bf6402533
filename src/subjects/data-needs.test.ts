import { expect, test } from "vitest";
import { runTrial, verdictsOf } from "../prove/trial.js";
import { findModification } from "../reference/modifications.js";
import { dataInWords, dataNeeds } from "./data-needs.js";

test("rules without a conclusion on a platform without orders are those that need data", async () => {
  const empty = findModification("variant", "platform-without-orders");
  const modification = { kind: "variant", name: "platform-without-orders" } as const;
  const trial = await runTrial({ modification, lane: "bulk", profile: "quick", seed: 1 }, empty, undefined);
  expect(trial.trouble).toBeUndefined();
  const verdicts = verdictsOf([trial]);
  const open = [...verdicts].filter(([, { verdict }]) => verdict === "inconclusive").map(([rule]) => rule);
  const needing = [...verdicts.keys()].filter((rule) => dataNeeds(rule).length > 0);
  expect(needing.sort()).toEqual(open.sort());
}, 60_000);

test("data is named with the entry of the configuration that can name it", () => {
  expect(dataNeeds("get-orders.all-markets").map(dataInWords)).toEqual([
    "a wallet with orders in two markets (subjects.wallets)",
  ]);
  expect(dataNeeds("pagination.tie-order").map(dataInWords)).toEqual(["two rows with the same timestamp in a listing"]);
  expect(dataNeeds("errors.shape")).toEqual([]);
});
