import { withHost } from "../engine/host.js";
import type { CheckDefinition, SuiteDefinition } from "../engine/suite.js";
import type { Endpoint } from "../specification/endpoints.js";
import type { Profile } from "../specification/profile.js";

/** A check as listed in the catalogue. */
export interface CheckInfo {
  readonly rule: string;
  readonly name: string;
  readonly endpoint: Endpoint;
  /** Title of its suite. */
  readonly suite: string;
  readonly kind: CheckDefinition["kind"];
  /** The smallest profile that runs it. */
  readonly profile: Profile;
}

/** Loads all suites, in the specification's order, as data; registers nothing with a test runner. */
export async function loadSuites(): Promise<readonly SuiteDefinition[]> {
  return Object.values(await loadSuitesByFile());
}

/** Like `loadSuites`, but keyed by file name without `.check.js`. */
export async function loadSuitesByFile(): Promise<Readonly<Record<string, SuiteDefinition>>> {
  const { suitesByFile } = await withHost(undefined, () => import("../../suites/index.js"));
  return suitesByFile;
}

/** All checks, in the order of the suites. */
export async function listChecks(): Promise<CheckInfo[]> {
  return checkInfosOf(await loadSuites());
}

/** The checks of suites, in their order. */
export function checkInfosOf(suites: readonly SuiteDefinition[]): CheckInfo[] {
  return suites.flatMap(({ title, checks }) =>
    checks.map(({ rule, name, endpoint, kind, profile }) => ({ rule, name, endpoint, suite: title, kind, profile })),
  );
}
