import type { ConfiguredMarket } from "../connect/target.js";

/** Options of discovery. */
export interface DiscoveryOptions {
  /** Seed for choosing subjects that must not exist, and for choosing among many. */
  readonly seed: number;
  /** Subjects named in the configuration; they come first. */
  readonly known?: { readonly markets: readonly ConfiguredMarket[]; readonly wallets: readonly string[] };
  /** The base URL, for messages. */
  readonly where?: string;
  /** Called as soon as an answer shows that the target is this API. */
  readonly onRecognized?: (() => void) | undefined;
  /**
   * Request budget, not counting the few requests that test whether an operation works. Default 160, so that those still fit
   * into the budget of the session.
   */
  readonly budget?: number;
}
