import type { Endpoint } from "../specification/endpoints.js";
import type { CandleInterval } from "../specification/enums.js";

/** The symbols of a market selector or of GetMarketIdByName (§1, §4.9). */
export interface MarketSymbols {
  readonly assetSymbol: string;
  /** Absent for a market named by its asset alone (S8). */
  readonly quoteSymbol?: string;
}

/** A market that checks can use. */
export interface MarketSubject {
  /** Canonical decimal. */
  readonly marketId: string;
  /** The exchange that showed it; absent for a market known only from the configuration. */
  readonly provenance?: string;
  /** The name in its configuration (§4.8); absent if GetMarketConfigs did not return it. */
  readonly name?: string;
  /** Price precision from GetMarketConfigs, in decimals (§4.8). */
  readonly tickDecimals?: number;
  /** Symbols given in the harness configuration, or confirmed by GetMarketIdByName (S8). */
  readonly symbols?: MarketSymbols;
  readonly symbolsFrom?: "listing" | "configuration";
  /** Number of underlying orders in its book; absent if GetOrderBook returned none. */
  readonly bookOrders?: number;
  /** Number of candles in the probed range, which ends at the latest activity; absent if the market was not probed. */
  readonly candles?: number;
  /** When its latest candle of an interval begins that has a volume (RFC 3339), as far as discovery saw one. */
  readonly latestTrades?: Readonly<Partial<Record<CandleInterval, string>>>;
  /** Number of rows (orders and positions) of this market that discovery read. */
  readonly rowsSeen: number;
}

/** An orphan: a market that orders name and that GetMarketConfigs answers `not_found` for, so it has no metadata (R7). */
export interface OrphanMarket {
  readonly marketId: string;
  /** The exchange in which an order or a position named it. */
  readonly provenance: string;
  /** The exchange in which GetMarketConfigs answered `not_found`. */
  readonly denial: string;
}

/** A wallet that checks can use. */
export interface WalletSubject {
  /** Lower case. */
  readonly address: string;
  /** The exchange that showed it; absent for a wallet known only from the configuration. */
  readonly provenance?: string;
  /** Whether the address has hexadecimal letters, so that its upper-case form differs. */
  readonly hasLetters: boolean;
  /** Number of its orders, of any status; absent if unknown. */
  readonly orders?: number;
  /** Number of its orders that discovery read: all of them if equal to `orders`. */
  readonly ordersSeen: number;
  /** The markets of its orders that were seen. */
  readonly markets: readonly string[];
  /** Whether any of its orders seen is reduce-only. */
  readonly hasReduceOnlyOrders: boolean;
  /** Number of positions in the listing that its portfolio does not list (R10). */
  readonly closedPositions: number;
  /** Number of positions in its portfolio; absent if the portfolio could not be read. */
  readonly openPositions?: number;
  /** Number of orders in its portfolio; absent if the portfolio could not be read. */
  readonly openOrders?: number;
  /** The statuses of its open orders that were seen. */
  readonly openStatuses: readonly string[];
  /** The `reduceOrderType` values of its open reduce-only orders that were seen. */
  readonly openReduceTypes: readonly string[];
  /** The exchange that returned its portfolio. */
  readonly portfolio?: string;
}

/** A position that checks can use. */
export interface PositionSubject {
  readonly positionId: string;
  readonly marketId: string;
  /** Lower case. */
  readonly owner: string;
  /** Open or closed according to its owner's portfolio (R10); unknown if that was not read. */
  readonly state: "open" | "closed" | "unknown";
  readonly stopLossPrice: number;
  readonly takeProfitPrice: number;
  /** Number of associated orders: the length of the longer of its two lists. */
  readonly associated: number;
  /** The exchange that showed it. */
  readonly provenance: string;
}

/** Well-formed subjects that no answer seen by discovery mentions (S4). */
export interface UnknownSubjects {
  readonly marketId: string;
  readonly wallet: string;
  /** Whether the zero address is an unknown wallet, too: a platform may have orders by it. */
  readonly zeroAddress?: boolean;
  readonly symbols: { readonly assetSymbol: string; readonly quoteSymbol: string };
}

/** A problem that kept discovery from seeing more. */
export interface DiscoveryProblem {
  readonly endpoint: Endpoint;
  /** Such as `unimplemented: not yet` or `timeout: no answer within 10000 ms`. */
  readonly what: string;
  readonly exchange: string;
}

/** An operation that does not work, judging by its answers to discovery. */
export interface BrokenOperation {
  readonly operation: Endpoint;
  /** `absent`: neither a success nor a documented refusal; `unimplemented`: it says so itself in every answer (§7). */
  readonly kind: "absent" | "unimplemented";
  /** What it answers, in a few words: `not_found: no such path (HTTP 404)`. */
  readonly answered: string;
}

/** Totals of the platform as a whole. */
export interface Totals {
  /** `totalCount` of all orders; absent if GetAllOrders did not report it. */
  readonly orders?: number;
  /** `totalCount` of the open orders. */
  readonly openOrders?: number;
  /** `totalCount` of all positions; absent if GetAllPositions did not report it. */
  readonly positions?: number;
  /** The latest timestamp of an order, as on the wire. */
  readonly latestOrder?: string;
  /** The latest timestamp of a position, as on the wire. */
  readonly latestPosition?: string;
  /** Time of discovery, RFC 3339. */
  readonly seenAt?: string;
}

/** The subjects of a run: plain data, found once and shared by all checks. */
export interface Subjects {
  /** Those seen most often first. */
  readonly markets: readonly MarketSubject[];
  readonly orphanMarkets: readonly OrphanMarket[];
  /** Ids of further markets that GetMarketConfigs knows, beyond those in `markets`. */
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
  /** For each kind of subject that was not found: what the target would need, or what to add to the configuration. */
  readonly hints: Readonly<Record<string, string>>;
  /** Number of requests that discovery sent. */
  readonly requests: number;
}

/** The subjects of a platform on which nothing was found. */
export function noSubjects(unknown: UnknownSubjects): Subjects {
  return {
    markets: [],
    orphanMarkets: [],
    otherMarkets: [],
    wallets: [],
    positions: [],
    orderStatuses: [],
    reduceOrderTypes: [],
    totals: {},
    unknown,
    problems: [],
    broken: [],
    hints: {},
    requests: 0,
  };
}
