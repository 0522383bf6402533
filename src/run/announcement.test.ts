import { expect, test } from "vitest";
import { everything } from "../session/session.js";
import { listChecks } from "../session/suites.js";
import { announce } from "./announcement.js";

const checks = await listChecks();

test("a run announces the budgets of the checks that it makes, and what they have in common", () => {
  const { suites, discovery, inCommon, own, total } = announce(checks, { selection: everything, profile: "quick" });
  expect(suites.length).toBeGreaterThan(20);
  expect(own).toBe(0);
  expect(total).toBe(discovery + inCommon + suites.reduce((sum, { requests }) => sum + requests, 0));
  expect(announce(checks, { selection: everything, profile: "full" }).total).toBeGreaterThan(total);
});

test("a selection announces its own checks, and suites of the user's own as well", () => {
  const [check] = checks.filter(({ profile }) => profile === "quick");
  const rules = [check?.rule ?? ""];
  const selected = checks.filter(({ rule, profile }) => rules.includes(rule) && profile === "quick");
  const announced = announce(checks, { selection: { rules, suites: [] }, profile: "quick", ownSuites: ["a", "b"] });
  expect(announced.suites.flatMap((suite) => suite.checks)).toEqual([selected.length]);
  expect(announced.own).toBeGreaterThan(0);
  expect(announced.total).toBe(
    announced.discovery +
      announced.inCommon +
      announced.own +
      selected.reduce((sum, { requests }) => sum + requests.quick, 0),
  );
});
