import type { Endpoint } from "../specification/endpoints.js";

/** The two symbols of a market selector, or of GetMarketIdByName (§1, §4.9). */
export interface Symbols {
  readonly assetSymbol: string;
  /** Absent for a market that is named by its asset alone (S8). */
  readonly quoteSymbol?: string;
}

/** A market that checks can be made on. */
export interface MarketSubject {
  /** Canonical decimal. */
  readonly marketId: string;
  /** The exchange that showed it; absent for a market that only the configuration knows. */
  readonly provenance?: string;
  /** The name in its configuration (§4.8); absent when GetMarketConfigs did not give it. */
  readonly name?: string;
  /** Price precision by its configuration. */
  readonly tickDecimals?: number;
  /** Symbols that the configuration gives, or that GetMarketIdByName confirmed (S8). */
  readonly symbols?: Symbols;
  readonly symbolsFrom?: "listing" | "configuration";
  /** Underlying orders of its book; absent when GetOrderBook gave none. */
  readonly bookOrders?: number;
  /** Candles of the range that was probed, ending at the latest activity; absent when the market was not probed. */
  readonly candles?: number;
  /** Orders and positions of this market among the rows that discovery read. */
  readonly rowsSeen: number;
}

/** A market that orders name and GetMarketConfigs does not know (R7). */
export interface OrphanMarket {
  readonly marketId: string;
  /** The exchange in which an order or a position named it. */
  readonly provenance: string;
  /** The exchange in which GetMarketConfigs answered `not_found`. */
  readonly denial: string;
}

/** A wallet that checks can be made on. */
export interface WalletSubject {
  /** Lower case. */
  readonly address: string;
  /** The exchange that showed it; absent for a wallet that only the configuration knows. */
  readonly provenance?: string;
  /** Whether the address has hexadecimal letters, so that its upper-case form differs. */
  readonly hasLetters: boolean;
  /** Its orders, of any status; absent when nothing told the number. */
  readonly orders?: number;
  /** Its orders among the rows that discovery read: all of them when equal to `orders`. */
  readonly ordersSeen: number;
  /** The markets of the orders that were seen. */
  readonly markets: readonly string[];
  /** Whether reduce-only orders were seen. */
  readonly hasReduceOnlyOrders: boolean;
  /** Positions seen in the listing that its portfolio does not list (R10). */
  readonly closedPositions: number;
  /** Positions that its portfolio lists; absent when the portfolio could not be read. */
  readonly openPositions?: number;
  /** Orders that its portfolio lists; absent when the portfolio could not be read. */
  readonly openOrders?: number;
  /** The statuses of the open orders that were seen. */
  readonly openStatuses: readonly string[];
  /** `reduceOrderType` of the open reduce-only orders that were seen. */
  readonly openReduceTypes: readonly string[];
  /** The exchange with its portfolio. */
  readonly portfolio?: string;
}

/** A position that checks can be made on. */
export interface PositionSubject {
  readonly positionId: string;
  readonly marketId: string;
  /** Lower case. */
  readonly owner: string;
  /** Open or closed by its owner's portfolio (R10); unknown when that was not read. */
  readonly state: "open" | "closed" | "unknown";
  readonly stopLossPrice: number;
  readonly takeProfitPrice: number;
  /** Associated orders, by whichever of the two lists is longer. */
  readonly associated: number;
  /** The exchange that showed it. */
  readonly provenance: string;
}

/** What no answer seen by discovery mentions (S4). */
export interface UnknownSubjects {
  readonly marketId: string;
  readonly wallet: string;
  readonly symbols: { readonly assetSymbol: string; readonly quoteSymbol: string };
}

/** Something that kept discovery from seeing more. */
export interface DiscoveryProblem {
  readonly endpoint: Endpoint;
  /** `unimplemented: not yet`, `timeout: no answer within 10000 ms`. */
  readonly what: string;
  readonly exchange: string;
}

/** An operation that does not work, by what it answered to discovery. */
export interface BrokenOperation {
  readonly operation: Endpoint;
  /** `absent`: neither a success nor a documented refusal; `unimplemented`: it says so itself, wherever it was asked (§7). */
  readonly kind: "absent" | "unimplemented";
  /** What it answers, in a few words: `not_found: no such path (HTTP 404)`. */
  readonly answered: string;
}

/** What the platform as a whole showed. */
export interface Totals {
  /** `totalCount` of all orders; absent when GetAllOrders did not tell. */
  readonly orders?: number;
  /** `totalCount` of the open orders. */
  readonly openOrders?: number;
  /** `totalCount` of all positions; absent when GetAllPositions did not tell. */
  readonly positions?: number;
  /** The latest timestamp of an order, as on the wire. */
  readonly latestOrder?: string;
  /** The latest timestamp of a position, as on the wire. */
  readonly latestPosition?: string;
  /** When discovery looked, RFC 3339. */
  readonly seenAt?: string;
}

/** The subjects of a run: plain data, found once and shared by all checks. */
export interface Subjects {
  /** The ones seen most often first. */
  readonly markets: readonly MarketSubject[];
  readonly orphanMarkets: readonly OrphanMarket[];
  /** Ids of further markets that GetMarketConfigs knows: there are enough others to make checks on. */
  readonly otherMarkets: readonly string[];
  readonly wallets: readonly WalletSubject[];
  readonly positions: readonly PositionSubject[];
  /** Order statuses that were seen, sorted. */
  readonly orderStatuses: readonly string[];
  /** Values of `reduceOrderType` that were seen, sorted. */
  readonly reduceOrderTypes: readonly string[];
  readonly totals: Totals;
  readonly unknown: UnknownSubjects;
  readonly problems: readonly DiscoveryProblem[];
  /** The operations that do not work, in the order of the specification. */
  readonly broken: readonly BrokenOperation[];
  /** For each kind of subject that was not found: what the target would need, or the configuration should say. */
  readonly hints: Readonly<Record<string, string>>;
  /** Requests that discovery sent. */
  readonly requests: number;
}
