import { expect, test } from "vitest";
import { everything } from "../session/session.js";
import { listChecks } from "../session/suites.js";
import { typicalRequests, workloadOf } from "./workload.js";

const checks = await listChecks();

test.each(["quick", "full"] as const)(
  "a %s run counts its suites, and may send several times the typical number of requests",
  (profile) => {
    const { suites, total } = workloadOf(checks, { selection: everything, profile });
    expect(suites.length).toBeGreaterThan(20);
    expect(total).toBeGreaterThan(5 * typicalRequests[profile]);
    expect(total).toBeLessThan(12 * typicalRequests[profile]);
  },
);

test("a selection counts its own checks, and leaves room for suites of the user's own", () => {
  const [check] = checks.filter(({ profile }) => profile === "quick");
  const rules = [check?.rule ?? ""];
  const selected = checks.filter(({ rule, profile }) => rules.includes(rule) && profile === "quick");
  const selection = { rules, suites: [] };
  const selectedOnly = workloadOf(checks, { selection, profile: "quick" });
  expect(selectedOnly.suites.map((suite) => suite.checks)).toEqual([selected.length]);
  expect(selectedOnly.total).toBeLessThan(workloadOf(checks, { selection: everything, profile: "quick" }).total);
  const withOwn = workloadOf(checks, { selection, profile: "quick", ownSuites: ["a", "b"] });
  expect(withOwn.total).toBeGreaterThan(selectedOnly.total);
});
