import type { TestProject } from "vitest/node";
import { resolveTarget } from "../config/config.js";
import { openSession } from "../session/session.js";

/** Setup for plain vitest: reads the target from the environment, and discovers its subjects before the suites start. */
export default async function setup(project: TestProject): Promise<void> {
  const { target, profile, seed } = resolveTarget();
  project.provide("session", await openSession({ target, profile, seed }));
  project.provide("allure", false);
}
