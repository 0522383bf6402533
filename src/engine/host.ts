import type { SuiteDefinition } from "./suite.js";

/** Called with each suite whose file is loaded: vitest registers it as tests. Without a host, a suite is just data. */
export type Host = (suite: SuiteDefinition) => void;

/** Stored on the global object, so that a suite loaded through another module graph finds the same host. */
const key = Symbol.for("perp-conformance.host");

/** The host of this thread, if one is set. */
export function currentHost(): Host | undefined {
  return (globalThis as Record<symbol, unknown>)[key] as Host | undefined;
}

/** Runs a function that loads suites, which are passed to another host meanwhile. */
export async function withHost<T>(host: Host | undefined, run: () => Promise<T>): Promise<T> {
  const before = currentHost();
  setHost(host);
  try {
    return await run();
  } finally {
    setHost(before);
  }
}

/** Passes all suites loaded in this thread from now on to `host`. */
export function setHost(host: Host | undefined): void {
  (globalThis as Record<symbol, unknown>)[key] = host;
}
