import { expect, test } from "vitest";
import { resolveSettings } from "../config/config.js";
import type { Readings } from "../specification/readings.js";
import { commandLineOf } from "./command-line.js";
import type { RunFlags } from "./plan.js";

function commandOf(flags: Partial<RunFlags>, env: Record<string, string> = {}, readings: Readings = {}): string {
  const all = { suite: [], rule: [], target: [], reading: [], report: true, ...flags };
  return commandLineOf({
    flags: all,
    settings: resolveSettings({ flags: all, env: { CONFORMANCE_SEED: "1", ...env }, cwd: "/nowhere" }),
    readings,
  });
}

test("a run against the embedded server is repeated by its seed alone", () => {
  expect(commandOf({})).toBe("npx perp-conformance run --reference --seed 1");
});

test("what the environment said stands on the line, so that another machine can repeat the run", () => {
  const env = {
    CONFORMANCE_BASE_URL: "https://api.example/v1/",
    CONFORMANCE_PROFILE: "full",
    CONFORMANCE_SEED: "42",
    CONFORMANCE_NOT_IMPLEMENTED: "GetOrderBook",
  };
  expect(commandOf({}, env)).toBe(
    "npx perp-conformance run --base-url https://api.example/v1 --profile full --seed 42 --not-implemented GetOrderBook",
  );
});

test("what changes verdicts or requests is kept, what only chooses or shows is not", () => {
  const flags = { strict: true, rate: "5", rule: ["a.b"], quiet: true, out: "o'ut", tokenEnv: "MY_TOKEN" } as const;
  expect(commandOf(flags, { MY_TOKEN: "s3cret" })).toBe(
    "npx perp-conformance run --reference --seed 1 --strict --token-env MY_TOKEN --rate 5",
  );
});

test("readings are kept as they were understood, and so is that requests do not name their check", () => {
  const flags = { reading: ["b4 = best-first"], correlation: false } as const;
  expect(commandOf(flags, {}, { B4: "best-first" })).toBe(
    "npx perp-conformance run --reference --seed 1 --reading B4=best-first --no-correlation",
  );
});

test("values of headers are not shown, names of variables are", () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a header may name a variable in this way
  const reference = "X-Api-Key: ${MY_KEY}";
  const flags = { header: ["X-Tenant: one", reference] };
  expect(commandOf(flags, { MY_KEY: "s3cret" })).toBe(
    `npx perp-conformance run --reference --seed 1 --header 'X-Tenant: ***' --header '${reference}'`,
  );
});
