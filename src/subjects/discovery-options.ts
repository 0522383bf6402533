import type { KnownMarket } from "../connect/target.js";

/** How discovery goes about. */
export interface DiscoveryOptions {
  /** Seed of the subjects that must not exist, and of the choice among many. */
  readonly seed: number;
  /** Subjects that the configuration names; they come first. */
  readonly known?: { readonly markets: readonly KnownMarket[]; readonly wallets: readonly string[] };
  /** The base URL, for messages. */
  readonly where?: string;
  /** Called as soon as an answer shows that the target is this API. */
  readonly onRecognized?: (() => void) | undefined;
  /** Requests that may be sent at most, without the few that tell whether an operation works. Default 200. */
  readonly budget?: number;
}
