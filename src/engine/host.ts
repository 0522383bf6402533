import type { SuiteDefinition } from "./suite.js";

/** What becomes of a suite when its file is loaded: vitest registers tests; without a host it is just data. */
export type Host = (suite: SuiteDefinition) => void;

/** Kept on the global object, so that a suite loaded through another module graph finds the same host. */
const KEY = Symbol.for("perp-conformance.host");

/** The host of this thread, if one was set. */
export function currentHost(): Host | undefined {
  return (globalThis as Record<symbol, unknown>)[KEY] as Host | undefined;
}

/** Makes suites that are loaded from now on in this thread go to `host`. */
export function setHost(host: Host | undefined): void {
  (globalThis as Record<symbol, unknown>)[KEY] = host;
}
