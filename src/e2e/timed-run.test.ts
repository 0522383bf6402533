import { join } from "node:path";
import { expect, test } from "vitest";
import { positionsIn } from "../reference/json.js";
import type { CallContext, Mutant } from "../reference/modification.js";
import { startReferenceServer } from "../reference/server.js";
import { readResults } from "../report/read-results.js";
import { perp, RULE, SMALL } from "./binary.fixture.js";
import { mainHere } from "./command.fixture.js";
import { perpHere } from "./run-here.fixture.js";

const rule = "get-open-positions-streaming.order-references";

const opened = new WeakMap<CallContext, number>();

/** A stream that forgets the orders of positions seven seconds after it was opened. */
const forgetful: Mutant = {
  kind: "mutant",
  name: "stream-forgets-orders-after-7-s",
  summary: "The stream leaves out references to orders when it is seven seconds old.",
  breaks: rule,
  response(endpoint, json, call) {
    if (endpoint !== "GetOpenPositionsStreaming") return undefined;
    const since = opened.get(call) ?? call.now();
    opened.set(call, since);
    if (call.now() - since > 7_000) for (const position of positionsIn(json)) delete position.associatedOrderIds;
    return json;
  },
};

test("a stream that breaks after seven seconds is found, and its round can be judged again", async () => {
  const server = await startReferenceServer({ ...SMALL, modification: forgetful });
  try {
    const target = ["--base-url", server.url, "--rule", rule, "--seed", "5", "--no-report"];
    const { code, stdout, out } = await perp(["run", ...target, "--for", "9s"]);
    expect(code).toBe(1);
    expect(stdout).toContain("--seed 5 --for 30s");
    const results = await readResults(out);
    expect(results.rounds?.[0]).toMatchObject({ index: 1, seed: 5, kept: true, conclusion: "not-conformant" });
    expect(results.rules.find(({ id }) => id === rule)?.checks.map(({ message }) => message)).toContain(
      "found in 1 of 1 round, first in round 1: --seed 5 --for 30s repeats it",
    );

    const whole = await mainHere(["rejudge", out]);
    expect(whole.code).toBe(2);
    expect(whole.stderr).toContain("was made in rounds: name one of those that were kept");
    const round = await mainHere(["rejudge", join(out, "rounds/1")]);
    expect(round.stdout).toContain("The same verdict for each of");
    expect(round.code).toBe(1);
  } finally {
    await server.close();
  }
});

test("rounds go on until the time is over; those that show nothing are not kept", async () => {
  const server = await startReferenceServer(SMALL);
  try {
    const target = ["--base-url", server.url, "--rule", RULE, "--seed", "5", "--no-report", "--quiet"];
    const { code, out } = await perpHere(["run", ...target, "--for", "4s"]);
    expect(code).toBe(0);
    const { rounds = [], seed, command } = await readResults(out);
    expect(seed).toBe(5);
    expect(command).toContain("--seed 5 --for 4s");
    // How many there are depends on how busy the machine is.
    expect(rounds.length).toBeGreaterThan(0);
    expect(rounds.map((round) => round.seed)).toEqual(rounds.map((_, index) => 5 + index));
    expect(rounds.some(({ kept }) => kept)).toBe(false);
    const again = await mainHere(["rejudge", out]);
    expect(again.stderr).toContain("none of them showed anything");
  } finally {
    await server.close();
  }
});

test.each(["10", "0s", "ten minutes", "-5m", "1000h"])("--for %s is refused", async (duration) => {
  const { code, stderr } = await mainHere(["run", "--reference", `--for=${duration}`]);
  expect(code).toBe(2);
  expect(stderr).toContain("It must be a duration such as 90s, 10m or 2h");
});

test("--for says so beforehand, and is no part of a run", async () => {
  const { stdout } = await mainHere(["run", "--reference", "--for", "10m", "--dry-run"]);
  expect(stdout).toMatch(/^at most [\d,]+ requests in each round, for 600 s, to /);
  const { code, stderr } = await mainHere(["run", "--reference", "--for", "10m", "--shard", "1/2", "--seed", "1"]);
  expect(code).toBe(2);
  expect(stderr).toContain("--for and --shard cannot be used together");
});
