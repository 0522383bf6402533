import { expect, test } from "vitest";
import { everything } from "../session/session.js";
import { listChecks } from "../session/suites.js";
import { announce, typicalRequests } from "./announcement.js";

const checks = await listChecks();

test.each(["quick", "full"] as const)("a %s run announces its suites, and several times what is typical", (profile) => {
  const { suites, total } = announce(checks, { selection: everything, profile });
  expect(suites.length).toBeGreaterThan(20);
  expect(total).toBeGreaterThan(5 * typicalRequests[profile]);
  expect(total).toBeLessThan(12 * typicalRequests[profile]);
});

test("a selection announces its own checks, and room for suites of the user's own", () => {
  const [check] = checks.filter(({ profile }) => profile === "quick");
  const rules = [check?.rule ?? ""];
  const selected = checks.filter(({ rule, profile }) => rules.includes(rule) && profile === "quick");
  const selection = { rules, suites: [] };
  const announced = announce(checks, { selection, profile: "quick" });
  expect(announced.suites.map((suite) => suite.checks)).toEqual([selected.length]);
  expect(announced.total).toBeLessThan(announce(checks, { selection: everything, profile: "quick" }).total);
  const withOwn = announce(checks, { selection, profile: "quick", ownSuites: ["a", "b"] });
  expect(withOwn.total).toBeGreaterThan(announced.total);
});
