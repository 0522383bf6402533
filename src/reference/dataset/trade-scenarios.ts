import type { ReduceOrderType } from "../../specification/enums.js";
import { OrderStatus } from "../gen/order_service/v1/order_service_pb.js";
import type { Random } from "../random.js";
import { addressOf, type ListedMarket } from "./markets.js";
import type { Market, OrderRecord } from "./model.js";
import type { Platform } from "./platform.js";

/** One trade of a wallet: adds its orders and, if any, its position. */
export type TradeScenario = (platform: Platform, owner: string, market: Market, place: number) => void;

/** Protective orders of an open position, by type and status. */
type Protection = readonly (readonly [type: "STOP_LOSS" | "TAKE_PROFIT", status: OrderStatus])[];

const { PENDING, PARTIALLY_FILLED, FULLY_FILLED, CLOSED, CANCELLED, MERGED, PARTIALLY_MERGED, PARTIALLY_CANCELLED } =
  OrderStatus;

/** Every arrangement of protective orders that affects a position's `stopLossPrice` and `takeProfitPrice` (R3). */
const protections = {
  none: [],
  stop: [["STOP_LOSS", PENDING]],
  profit: [["TAKE_PROFIT", PENDING]],
  both: [
    ["STOP_LOSS", PENDING],
    ["TAKE_PROFIT", PENDING],
  ],
  severalStops: [
    ["STOP_LOSS", PENDING],
    ["STOP_LOSS", PENDING],
    ["STOP_LOSS", CANCELLED],
  ],
  severalProfits: [
    ["TAKE_PROFIT", CANCELLED],
    ["TAKE_PROFIT", PENDING],
    ["TAKE_PROFIT", PENDING],
  ],
  terminal: [
    ["STOP_LOSS", CANCELLED],
    ["TAKE_PROFIT", CANCELLED],
  ],
  terminalStop: [
    ["STOP_LOSS", CANCELLED],
    ["TAKE_PROFIT", PENDING],
  ],
  fillingStop: [["STOP_LOSS", PARTIALLY_FILLED]],
} satisfies Record<string, Protection>;

function protect(platform: Platform, opening: OrderRecord, place: number, protection: Protection): OrderRecord[] {
  return protection.map(([type, status], i) =>
    platform.reduce(opening, { place: place + 0.4 + i * 0.7, type, status, part: 0.3 }),
  );
}

/** An opening order with an open position and the given protective orders. */
function opened(status: OrderStatus, protection: Protection, reduced?: ReduceOrderType): TradeScenario {
  return (platform, owner, market, place) => {
    const attached = protection.length > 0 && platform.random.chance(0.5);
    const opening = platform.opening({ owner, market, place, status, attached });
    const reduces = protect(platform, opening, place, protection);
    if (reduced !== undefined) {
      reduces.push(platform.reduce(opening, { place: place + 3, type: reduced, status: FULLY_FILLED, part: 0.4 }));
    }
    const touched = reduces.some((order) => order.filledSize > 0);
    platform.position(opening, { open: true, place: place + (touched ? 3.5 : 0.3), reduces });
  };
}

/** A closed position: closed by a reduce-only order, or by one that is no longer known. */
function closed(by?: ReduceOrderType, status: OrderStatus = CLOSED): TradeScenario {
  return (platform, owner, market, place) => {
    const opening = platform.opening({ owner, market, place, status });
    const end = place + platform.random.between(1, 40);
    const reduces: OrderRecord[] = [];
    if (by === "STOP_LOSS") {
      reduces.push(platform.reduce(opening, { place: place + 0.4, type: "TAKE_PROFIT", status: CANCELLED, part: 1 }));
    }
    if (by !== undefined)
      reduces.push(platform.reduce(opening, { place: end, type: by, status: FULLY_FILLED, part: 1 }));
    platform.position(opening, { open: false, place: end + 0.2, reduces });
  };
}

/** A second opening order of the same wallet, market and side, merged into the first one's position. */
function merged(status: OrderStatus, open: boolean): TradeScenario {
  return (platform, owner, market, place) => {
    const opening = platform.opening({ owner, market, place, status: open ? FULLY_FILLED : CLOSED });
    const { side, leverage } = opening;
    const second = platform.opening({ owner, market, place: place + 2, status, side, leverage });
    platform.position(opening, { open, place: place + 2.3, mergedOpenings: [second] });
  };
}

/** An opening order without a position. */
function unfilled(status: OrderStatus, attached: boolean): TradeScenario {
  return (platform, owner, market, place) => {
    platform.opening({ owner, market, place, status, attached });
  };
}

const orphan: TradeScenario = (platform, owner, market, place) => {
  platform.orphanReduce(owner, market, place);
};

interface Weighted {
  readonly weight: number;
  readonly scenario: TradeScenario;
}

/** Finished trades: nothing stays open. */
const settled: readonly Weighted[] = [
  { weight: 26, scenario: closed() },
  { weight: 8, scenario: closed("MANUAL") },
  { weight: 4, scenario: closed("STOP_LOSS") },
  { weight: 4, scenario: closed("TAKE_PROFIT") },
  { weight: 2, scenario: closed("LIQUIDATION") },
  { weight: 1, scenario: closed("ADL") },
  { weight: 3, scenario: closed("MANUAL", PARTIALLY_CANCELLED) },
  { weight: 4, scenario: merged(MERGED, false) },
  { weight: 13, scenario: unfilled(CANCELLED, false) },
];

/** Trades that leave an open position or an open order. */
const pending: readonly Weighted[] = [
  { weight: 3, scenario: opened(FULLY_FILLED, protections.none) },
  { weight: 2, scenario: opened(FULLY_FILLED, protections.none, "MANUAL") },
  { weight: 0.5, scenario: opened(FULLY_FILLED, protections.stop, "ADL") },
  { weight: 1, scenario: opened(FULLY_FILLED, protections.stop) },
  { weight: 1, scenario: opened(FULLY_FILLED, protections.profit) },
  { weight: 1, scenario: opened(FULLY_FILLED, protections.both) },
  { weight: 0.5, scenario: opened(FULLY_FILLED, protections.severalStops) },
  { weight: 1, scenario: opened(FULLY_FILLED, protections.terminal) },
  { weight: 0.5, scenario: opened(FULLY_FILLED, protections.fillingStop) },
  { weight: 2, scenario: opened(PARTIALLY_FILLED, protections.none) },
  { weight: 1, scenario: opened(PARTIALLY_FILLED, protections.profit) },
  { weight: 2, scenario: opened(PARTIALLY_CANCELLED, protections.none) },
  { weight: 2, scenario: merged(MERGED, true) },
  { weight: 3, scenario: merged(PARTIALLY_MERGED, true) },
  { weight: 6, scenario: unfilled(PENDING, false) },
  { weight: 3, scenario: unfilled(PENDING, true) },
];

const everything = [...settled, ...pending];

/**
 * Draws a scenario. `settledChance` is the probability of picking only among finished trades, which keeps a wallet's
 * snapshots small.
 */
export function randomScenario(random: Random, settledChance: number): TradeScenario {
  const choice = settledChance > 0 && random.chance(settledChance) ? settled : everything;
  let rest = random.next() * choice.reduce((total, { weight }) => total + weight, 0);
  for (const { weight, scenario } of choice) {
    rest -= weight;
    if (rest < 0) return scenario;
  }
  return closed();
}

/** A scenario with a fixed wallet and market. */
export type FixedScenario = (platform: Platform, place: number) => void;

/**
 * Scenarios that every dataset contains, whatever its seed. The most useful come first, since a small dataset contains only
 * the beginning.
 *
 * They cover a wallet with every arrangement of protective orders; wallets with only closed positions, no positions, open
 * positions without protective orders, or a single order; and the market whose metadata is gone.
 */
export function fixedScenarios(seed: number, markets: readonly ListedMarket[]): readonly FixedScenario[] {
  const [btc, eth, sol] = markets.map(({ market }) => market);
  const gone = markets.find(({ market }) => !market.listed)?.market;
  if (btc === undefined || eth === undefined || sol === undefined || gone === undefined) {
    throw new RangeError("the platform lacks a market that the fixed scenarios need");
  }
  const fixed = (role: string, market: Market, scenario: TradeScenario): FixedScenario => {
    const owner = addressOf(role, seed);
    return (platform, place) => scenario(platform, owner, market, place);
  };
  return [
    fixed("protected", btc, opened(FULLY_FILLED, protections.both)),
    fixed("retired", eth, closed("MANUAL")),
    fixed("waiting", btc, unfilled(PENDING, true)),
    fixed("protected", eth, opened(FULLY_FILLED, protections.stop)),
    fixed("protected", sol, opened(FULLY_FILLED, protections.profit)),
    fixed("bare", btc, opened(FULLY_FILLED, protections.none)),
    fixed("retired", btc, closed("STOP_LOSS")),
    fixed("former", gone, closed()),
    fixed("single", sol, unfilled(PENDING, false)),
    fixed("protected", btc, opened(FULLY_FILLED, protections.terminal)),
    fixed("protected", eth, opened(PARTIALLY_FILLED, protections.fillingStop)),
    fixed("protected", eth, opened(FULLY_FILLED, protections.severalStops)),
    fixed("waiting", eth, unfilled(CANCELLED, false)),
    fixed("bare", eth, opened(PARTIALLY_CANCELLED, protections.none)),
    fixed("bare", sol, merged(PARTIALLY_MERGED, true)),
    fixed("protected", sol, opened(FULLY_FILLED, protections.severalProfits, "ADL")),
    fixed("protected", sol, opened(FULLY_FILLED, protections.terminalStop, "MANUAL")),
    fixed("protected", btc, opened(FULLY_FILLED, protections.none)),
    fixed("retired", sol, closed("TAKE_PROFIT")),
    fixed("retired", btc, closed("LIQUIDATION")),
    fixed("retired", eth, closed("ADL")),
    fixed("retired", sol, merged(MERGED, false)),
    fixed("former", gone, closed("MANUAL")),
    fixed("former", gone, unfilled(CANCELLED, false)),
    fixed("former", gone, orphan),
    fixed("former", eth, orphan),
    fixed("former", eth, opened(FULLY_FILLED, protections.stop)),
    fixed("busiest", gone, unfilled(CANCELLED, true)),
  ];
}
