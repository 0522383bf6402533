import { shuffled } from "../arbitraries/seed.js";
import { isActive } from "../judge/order-lists.js";
import type { OrderView, PositionView } from "../judge/read.js";
import { activeOrderStatuses } from "../specification/enums.js";
import { getOrInsert } from "../specification/get-or-insert.js";
import type { ListingPages, SeenRow } from "./listing-pages.js";

/** What the pages showed about one wallet. */
export interface WalletTrace {
  /** Lower case. */
  readonly address: string;
  /** The exchange that showed it first; absent for a wallet that only the configuration knows. */
  readonly exchange?: string;
  readonly orders: SeenRow<OrderView>[];
  readonly positions: SeenRow<PositionView>[];
}

/** Normalizes an address for comparison: addresses are case-insensitive, and returned in lower case (§1). */
export function normalizeAddress(address: string): string {
  return address.trim().toLowerCase();
}

/** Groups the rows of the pages by wallet, and adds the configured wallets. */
export function tracesOf(pages: ListingPages, configured: readonly string[]): readonly WalletTrace[] {
  const traces = new Map<string, WalletTrace>();
  const traceOf = (owner: string, exchange?: string): WalletTrace | undefined => {
    const address = normalizeAddress(owner);
    if (address === "") return undefined;
    return getOrInsert(traces, address, () => ({
      address,
      orders: [],
      positions: [],
      ...(exchange && { exchange }),
    }));
  };
  for (const seen of pages.orders) traceOf(seen.row.owner, seen.exchange)?.orders.push(seen);
  for (const seen of pages.positions) traceOf(seen.row.owner, seen.exchange)?.positions.push(seen);
  for (const address of configured) traceOf(address);
  return [...traces.values()];
}

type Triggers = "none" | "stop-loss" | "take-profit" | "both";

/** What is known about a wallet, for matching it with scenarios. */
interface WalletProfile {
  readonly trace: WalletTrace;
  /** Number of orders seen. */
  readonly orders: number;
  /** Estimated number of its orders, seen or not. */
  readonly likelyOrders: number;
  readonly markets: number;
  readonly reduceOnly: boolean;
  readonly openStatuses: ReadonlySet<string>;
  readonly positions: number;
  /** The kinds of triggers that its positions show. */
  readonly triggers: ReadonlySet<Triggers>;
}

/** A scenario that some rule needs: how many wallets are wanted in it, and which ones are preferred. */
interface WalletScenario {
  readonly wanted: number;
  readonly fits: (wallet: WalletProfile) => boolean;
  readonly rank: (wallet: WalletProfile) => number;
}

const byOrders = ({ orders }: WalletProfile) => orders;
const byPositions = ({ positions }: WalletProfile) => positions;

const scenarios: readonly WalletScenario[] = [
  // Many orders; then a few orders, in several markets and of both kinds.
  { wanted: 2, fits: (wallet) => wallet.orders > 0, rank: byOrders },
  {
    wanted: 2,
    fits: (wallet) => wallet.orders >= 2 && wallet.likelyOrders <= 40 && wallet.markets >= 2,
    rank: (wallet) => wallet.markets + Number(wallet.reduceOnly),
  },
  // Positions with both triggers, or with either one.
  { wanted: 1, fits: (wallet) => wallet.triggers.has("both"), rank: byPositions },
  { wanted: 1, fits: (wallet) => wallet.triggers.has("stop-loss"), rank: byPositions },
  { wanted: 1, fits: (wallet) => wallet.triggers.has("take-profit"), rank: byPositions },
  // Open orders of each active status.
  ...activeOrderStatuses.map((status) => ({
    wanted: 1,
    fits: (wallet: WalletProfile) => wallet.openStatuses.has(status),
    rank: byOrders,
  })),
  // Positions but no open orders, so they are likely closed: first with many positions, then with as few as possible.
  { wanted: 1, fits: (wallet) => wallet.positions >= 2 && wallet.openStatuses.size === 0, rank: byPositions },
  {
    wanted: 1,
    fits: (wallet) => wallet.positions > 0 && wallet.openStatuses.size === 0,
    rank: (wallet) => -wallet.positions,
  },
  // Orders but no position; a single order; any positions.
  { wanted: 1, fits: (wallet) => wallet.positions === 0 && wallet.orders > 0, rank: byOrders },
  { wanted: 1, fits: (wallet) => wallet.orders === 1, rank: byPositions },
  { wanted: 1, fits: (wallet) => wallet.positions > 0, rank: byPositions },
  // Everyone else, those that may have something open first.
  {
    wanted: Number.POSITIVE_INFINITY,
    fits: () => true,
    rank: (wallet) => Number(wallet.positions > 0 || wallet.openStatuses.size > 0),
  },
];

/**
 * Chooses wallets for every scenario that a rule needs, the configured ones first (they take up to half of the places).
 * Among wallets that suit a rule equally well the seed decides. `share` is the fraction of all orders that the pages hold: a
 * wallet with 20 orders on pages with half of all orders has about 40.
 */
export function chooseCandidates(
  traces: readonly WalletTrace[],
  options: { configured: readonly string[]; share: number; most: number; seed: number },
): WalletTrace[] {
  const { configured, share, most, seed } = options;
  const wallets = shuffled(traces, seed).map((trace) => profileOf(trace, share));
  const chosen = new Set(wallets.filter(({ trace }) => configured.includes(trace.address)).slice(0, most / 2));
  for (const { wanted, fits, rank } of scenarios) {
    const fitting = wallets.filter((wallet) => !chosen.has(wallet) && fits(wallet));
    for (const wallet of fitting.sort((a, b) => rank(b) - rank(a)).slice(0, wanted)) chosen.add(wallet);
  }
  return [...chosen].slice(0, most).map(({ trace }) => trace);
}

function profileOf(trace: WalletTrace, share: number): WalletProfile {
  const orders = trace.orders.map(({ row }) => row);
  return {
    trace,
    orders: orders.length,
    likelyOrders: orders.length / share,
    markets: new Set(orders.map(({ marketId }) => marketId)).size,
    reduceOnly: orders.some(({ reduceOnly }) => reduceOnly),
    openStatuses: new Set(orders.filter(isActive).map(({ status }) => status)),
    positions: trace.positions.length,
    triggers: new Set(trace.positions.map(({ row }) => triggersOf(row))),
  };
}

function triggersOf({ stopLossPrice, takeProfitPrice }: PositionView): Triggers {
  if (stopLossPrice > 0) return takeProfitPrice > 0 ? "both" : "stop-loss";
  return takeProfitPrice > 0 ? "take-profit" : "none";
}
