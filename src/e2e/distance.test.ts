import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { perpIn } from "./binary.fixture.js";

/** What a path does to each packet, in the words of `tc`; a round trip takes it twice. */
const paths = {
  "300 ms": "delay 150ms",
  "300 ms, give or take 40": "delay 150ms 20ms",
  "40 ms, of whose packets two in a hundred are lost": "delay 20ms loss 2%",
} as const;

/** The command that runs what follows it in a network of its own, where everything takes such a path. */
function over(path: string): readonly string[] {
  return [
    "unshare",
    "-n",
    "sh",
    "-c",
    `ip link set lo up && tc qdisc add dev lo root netem ${path} && exec "$@"`,
    "sh",
  ];
}

/** Why this machine cannot lay such a path; undefined when it can. */
function whyNot(): string | undefined {
  const [command = "", ...args] = [...over("delay 1ms"), "true"];
  const { status, error, stderr } = spawnSync(command, args, { encoding: "utf8" });
  return status === 0 ? undefined : (error?.message ?? stderr.trim());
}

/** The rules on time, and some others of both kinds of operations. */
const rules = [
  "get-open-positions-streaming.first-message",
  "get-open-positions-streaming.interval",
  "get-open-positions-streaming.interval-clamped-up",
  "get-open-positions-streaming.no-open-positions",
  "get-all-positions.limit-default",
  "get-all-orders.sorted-by-timestamp",
];

const reason = whyNot();
// A skip that nobody reads of would pass for a test.
if (reason !== undefined)
  process.stderr.write(`distance.test.ts is skipped: it needs root, unshare, ip and netem (${reason})\n`);

describe.skipIf(reason !== undefined).concurrent("a target at a round trip of", () => {
  test.each(Object.entries(paths))("%s is judged as one nearby", async (_, path) => {
    const args = ["run", "--reference", "--no-report", "--quiet", ...rules.flatMap((rule) => ["--rule", rule])];
    const run = await perpIn({ through: over(path) }, args);
    const results = await run.results();
    const verdicts = rules.map((id) => [id, results.rules.find((rule) => rule.id === id)?.verdict]);
    expect(verdicts).toEqual(rules.map((id) => [id, "pass"]));
    expect([run.code, run.stderr]).toEqual([0, ""]);
  });
});
