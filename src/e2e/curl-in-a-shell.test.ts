import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import type { Exchange } from "../connect/exchange.js";
import { findModification } from "../reference/modifications.js";
import { type RecordedTrial, recordedTrial } from "../run/recorded-trial.fixture.js";

/** Broken servers, one for each way in which a request is sent or an answer comes. */
const mutants = [
  "get-all-positions-default-49",
  "order-total-as-number",
  "get-orders-ascending",
  "portfolio-lists-partially-cancelled-orders",
  "order-book-negative-tick-clamped",
  "historical-prices-symbols-resolved",
  "market-configs-zero-id-first-market",
  "name-lookup-tab-as-asset-not-found",
  "errors-in-capitals",
  "version-header-required",
  "trailing-text-ignored",
  "stream-owner-checksummed",
] as const;

const hasCurl = spawnSync("curl", ["--version"]).status === 0;

/** What a line prints in a shell, until it has ended or printed a text: curl leaves a stream only after some seconds. */
async function shell(line: string, text: string): Promise<string> {
  const child = spawn("bash", ["-c", line], { detached: true, stdio: ["ignore", "pipe", "ignore"] });
  let printed = "";
  child.stdout.on("data", (chunk) => {
    printed = timeless(printed + chunk);
    if (printed.includes(text) && child.pid !== undefined && child.exitCode === null) process.kill(-child.pid);
  });
  await once(child, "close");
  return printed;
}

/** Times of day differ from one answer to the next. */
function timeless(text: string): string {
  return text.replace(/"\d{4}-\d\d-\d\dT[^"]*"/g, '"a time"');
}

/** What came back, without what frames it: the body of an answer, or of a stream its first message. */
function contentOf({ response, frames }: Exchange): string {
  return timeless(frames?.[0]?.data ?? response?.body ?? "");
}

describe.runIf(hasCurl)("the line for a shell that stands beside a violation", () => {
  test.each(mutants)("shows it again on the server that is still there: %s", async (mutant) => {
    const modification = findModification("mutant", mutant);
    if (modification?.kind !== "mutant") throw new Error(`there is no mutant ${mutant}`);
    const meanwhile = async ({ exchanges, results }: RecordedTrial) => {
      const [violation] = results.flatMap(({ violations }) => violations);
      const exchange = exchanges.get(violation?.places[0]?.exchange ?? "");
      if (!violation || !exchange) throw new Error(`${mutant} was not caught`);
      expect(await shell(violation.curl, contentOf(exchange))).toContain(contentOf(exchange));
      expect(contentOf(exchange)).not.toBe("");
    };
    await recordedTrial(mutant, [modification.breaks], { meanwhile });
  });
});
