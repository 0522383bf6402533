import type { Order } from "./cli/make-run.js";
import type { RunFlags } from "./cli/run.js";
import type { Results } from "./report/results.js";
import type { Flags } from "./target/config.js";
import { ConfigurationError } from "./target/errors.js";

/**
 * What a run is told: the options of `perp-conformance run` in camel case. What is left out comes from the environment
 * (`CONFORMANCE_*`), then the configuration file, then defaults, as for the command.
 */
export interface RunOptions extends Flags, Partial<Omit<RunFlags, keyof Flags | "quiet">> {
  /** Ends the run early: its results so far are written and given back, marked as incomplete. */
  readonly signal?: AbortSignal;
}

/** The results of one of several targets. */
export interface TargetResults {
  /** The target's name in the configuration file; absent when there is only one. */
  readonly name?: string;
  readonly results: Results;
}

/**
 * Makes a run as `perp-conformance run` does, and prints nothing. What to test is named by `baseUrl`, the environment or the
 * configuration file; `reference: true` tests the embedded reference server.
 * The files of the run are written to `out`. A target that cannot be reached gives results that say so in `problems`;
 * `exitCode(results)` is what the command would end with.
 *
 * @throws ConfigurationError or UsageError, before anything was sent, for options that cannot be used
 */
export async function run(options: RunOptions = {}): Promise<Results> {
  const orders = await ordersFor(options);
  const [order] = orders;
  if (order === undefined || orders.length > 1) {
    const names = orders.map(({ name }) => name).join(", ");
    throw new ConfigurationError([`there are several targets (${names}): choose one with target, or use runTargets`]);
  }
  return inCommonFolder(orders, () => make(order, options));
}

/** Makes a run of each target of the configuration file, one after another, until `signal` ends them (see {@link run}). */
export async function runTargets(options: RunOptions = {}): Promise<TargetResults[]> {
  const orders = await ordersFor(options);
  const made: TargetResults[] = [];
  await inCommonFolder(orders, async () => {
    for (const order of orders) {
      if (options.signal?.aborted) break;
      const results = await make(order, options);
      made.push({ ...(order.name === undefined ? {} : { name: order.name }), results });
    }
  });
  return made;
}

// What makes runs is loaded when it is needed: a suite that imports this module does not need it.
async function ordersFor({ signal: _, ...flags }: RunOptions): Promise<Order[]> {
  const { ordersOf } = await import("./cli/make-run.js");
  return ordersOf({ suite: [], rule: [], target: [], reading: [], report: true, ...flags });
}

async function inCommonFolder<T>(orders: readonly Order[], makeRuns: () => Promise<T>): Promise<T> {
  const runs = await import("./cli/make-run.js");
  return runs.inCommonFolder(orders, makeRuns);
}

async function make(order: Order, { signal = new AbortController().signal }: RunOptions): Promise<Results> {
  const { silentWatcher } = await import("./cli/make-run.js");
  const { makeRunOrSoak } = await import("./cli/soak.js");
  return makeRunOrSoak(order, silentWatcher, signal);
}
