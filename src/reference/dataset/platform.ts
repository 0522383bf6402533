import type { ReduceOrderType } from "../../specification/enums.js";
import { Side } from "../gen/common/v1/common_pb.js";
import { OrderStatus } from "../gen/order_service/v1/order_service_pb.js";
import type { Random } from "../random.js";
import type { ListedMarket } from "./markets.js";
import type { Market, OrderRecord, PositionRecord } from "./model.js";
import type { Draft, TimelineEvent } from "./timeline.js";

/** The fixed properties of an opening order; the rest is drawn at random. */
export interface OpeningTerms {
  readonly owner: string;
  readonly market: Market;
  readonly place: number;
  readonly status: OrderStatus;
  readonly side?: Side;
  readonly leverage?: number;
  /** Whether the order carries its own triggers. */
  readonly attached?: boolean;
}

/** The fixed properties of a reduce-only order; the rest is drawn at random. */
export interface ReduceTerms {
  readonly place: number;
  readonly type: ReduceOrderType;
  readonly status: OrderStatus;
  /** Fraction of the opening order's filled size to reduce, above 0 and at most 1. */
  readonly part: number;
}

/** The fixed properties of a position; the rest is drawn at random. */
export interface PositionTerms {
  readonly open: boolean;
  readonly place: number;
  readonly mergedOpenings?: readonly OrderRecord[];
  readonly reduces?: readonly OrderRecord[];
}

const leverages = [1, 2, 3, 5, 10, 20, 25, 50] as const;

/** Creates orders and positions such that every documented relation between them holds. */
export class Platform {
  readonly orders: OrderRecord[] = [];
  readonly positions: PositionRecord[] = [];
  readonly events: TimelineEvent[] = [];
  readonly #random: Random;
  readonly #markets: ReadonlyMap<bigint, Market>;
  readonly #nextId: Map<string, bigint>;

  constructor(markets: readonly ListedMarket[], random: Random) {
    this.#random = random;
    this.#markets = new Map(markets.map(({ market }) => [market.id, market]));
    this.#nextId = new Map(
      markets.flatMap(({ market, firstOrderId }) => [
        [`${market.id} opening`, firstOrderId],
        [`${market.id} reduce`, firstOrderId],
      ]),
    );
  }

  get random(): Random {
    return this.#random;
  }

  /** Creates an opening order, filled as its status requires (R9). */
  opening({ owner, market, place, status, attached = false, ...terms }: OpeningTerms): OrderRecord {
    const random = this.#random;
    const side = terms.side ?? random.pick([Side.LONG, Side.SHORT]);
    const leverage = terms.leverage ?? random.pick(leverages.filter((multiplier) => multiplier <= market.maxLeverage));
    // Keeps the entry price far enough from liquidation that the mark price does not reach it.
    const price = onTick(market, market.markPrice * (1 + random.between(-0.35, 0.35) / Math.max(leverage, 2)));
    const lots = Math.max(10, Math.round((random.between(200, 40_000) / price) * 10 ** market.sizeDecimals));
    const filled = filledLots(status, lots, random);
    const thresholdPrice = onTick(market, price * (1 + (side === Side.LONG ? 0.002 : -0.002)));
    const size = unitsOf(market, lots);
    const initialMargin = money((size * thresholdPrice) / leverage);
    return this.#add({
      owner,
      market,
      place,
      reduceOnly: false,
      side,
      status,
      lots,
      filled,
      leverage,
      thresholdPrice,
      initialMargin,
      price,
      reduceOrderType: "",
      stopLossPrice: attached ? triggerOf(market, "STOP_LOSS", side, price, leverage) : 0,
      takeProfitPrice: attached ? triggerOf(market, "TAKE_PROFIT", side, price, leverage) : 0,
    });
  }

  /** Creates an order that reduces the position of `opening`, with its side and leverage (R8). */
  reduce(opening: OrderRecord, { place, type, status, part }: ReduceTerms): OrderRecord {
    const market = this.#marketOf(opening);
    const lots = Math.max(2, Math.round(lotsOf(market, opening.filledSize) * part));
    const trigger =
      type === "STOP_LOSS" || type === "TAKE_PROFIT"
        ? triggerOf(
            market,
            type,
            opening.side,
            opening.averageFillPrice,
            opening.leverage * this.#random.between(1, 1.5),
          )
        : 0;
    const price = trigger === 0 ? onTick(market, opening.averageFillPrice) : trigger;
    const thresholdPrice = onTick(market, price * (opening.side === Side.LONG ? 0.998 : 1.002));
    return this.#add({
      owner: opening.owner,
      market,
      place,
      reduceOnly: true,
      side: opening.side,
      status,
      lots,
      filled: filledLots(status, lots, this.#random),
      leverage: opening.leverage,
      thresholdPrice,
      initialMargin: money(unitsOf(market, lots) * thresholdPrice),
      price,
      reduceOrderType: type,
      triggerPrice: trigger,
    });
  }

  /** Creates a reduce-only order whose opening order is unknown, so its leverage is not available (R8). */
  orphanReduce(owner: string, market: Market, place: number): OrderRecord {
    const lots = this.#random.integer(10, 500);
    const thresholdPrice = onTick(market, market.markPrice);
    return this.#add({
      owner,
      market,
      place,
      reduceOnly: true,
      side: this.#random.pick([Side.LONG, Side.SHORT]),
      status: OrderStatus.CANCELLED,
      lots,
      filled: 0,
      leverage: 0,
      thresholdPrice,
      initialMargin: money(unitsOf(market, lots) * thresholdPrice),
      price: thresholdPrice,
      reduceOrderType: "MANUAL",
    });
  }

  /** Creates a position, with the id of its opening order (R2). A closed position keeps its former size. */
  position(opening: OrderRecord, { open, place, mergedOpenings = [], reduces = [] }: PositionTerms): PositionRecord {
    const random = this.#random;
    const market = this.#marketOf(opening);
    const openings = [opening, ...mergedOpenings];
    const opened = sum(openings.map((order) => lotsOf(market, order.filledSize)));
    const reduced = open ? sum(reduces.map((order) => lotsOf(market, order.filledSize))) : 0;
    const nominalSize = unitsOf(market, opened - reduced);
    const entryPrice = significant(
      sum(openings.map((order) => order.filledSize * order.averageFillPrice)) / unitsOf(market, opened),
    );
    const margin = (nominalSize * entryPrice) / opening.leverage;
    const revenue = opening.side === Side.LONG ? market.longRevenue : market.shortRevenue;
    const position: Draft<PositionRecord> = {
      owner: opening.owner,
      positionId: opening.orderId,
      marketId: opening.marketId,
      open,
      timestamp: 0n,
      side: opening.side,
      nominalSize,
      entryPrice,
      allocatedMargin: money(random.chance(0.2) ? margin * random.between(0.85, 1.6) : margin),
      leverage: opening.leverage,
      revenueSpent: significant(revenue * random.between(0.2, 1)),
      realizedPnl: open && reduced === 0 ? 0 : money(margin * random.between(-0.8, 1)),
      orders: [...openings, ...reduces],
    };
    this.positions.push(position);
    this.events.push({ place, position });
    return position;
  }

  #add(terms: {
    owner: string;
    market: Market;
    place: number;
    reduceOnly: boolean;
    side: Side;
    status: OrderStatus;
    lots: number;
    filled: number;
    leverage: number;
    thresholdPrice: number;
    initialMargin: number;
    price: number;
    reduceOrderType: ReduceOrderType | "";
    stopLossPrice?: number;
    takeProfitPrice?: number;
    triggerPrice?: number;
  }): OrderRecord {
    const { market, filled, lots, price } = terms;
    const filledSize = unitsOf(market, filled);
    const order: Draft<OrderRecord> = {
      owner: terms.owner,
      orderId: this.#takeId(`${market.id} ${terms.reduceOnly ? "reduce" : "opening"}`),
      marketId: market.id,
      reduceOnly: terms.reduceOnly,
      createdAt: 0n,
      updatedAt: 0n,
      side: terms.side,
      status: terms.status,
      thresholdPrice: terms.thresholdPrice,
      size: unitsOf(market, lots),
      filledSize,
      unfilledSize: unitsOf(market, lots - filled),
      leverage: terms.leverage,
      initialMargin: terms.initialMargin,
      fees: money(filledSize * price * (market.tradeFeePct / 100)),
      rebates: terms.reduceOnly ? money(filledSize * price * 0.0001) : 0,
      reduceOrderType: terms.reduceOrderType,
      stopLossPrice: terms.stopLossPrice ?? 0,
      takeProfitPrice: terms.takeProfitPrice ?? 0,
      triggerPrice: terms.triggerPrice ?? 0,
      averageFillPrice: filled === 0 ? 0 : price,
    };
    const settleNs = terms.status === OrderStatus.PENDING ? 0 : this.#random.integer(1_000, 5_000_000) * 1_000;
    this.orders.push(order);
    this.events.push({ place: terms.place, order, settleNs });
    return order;
  }

  #takeId(counter: string): bigint {
    const id = this.#nextId.get(counter);
    if (id === undefined) throw new RangeError(`no such market: ${counter}`);
    this.#nextId.set(counter, id + 1n);
    return id;
  }

  #marketOf(order: OrderRecord): Market {
    const market = this.#markets.get(order.marketId);
    if (market === undefined) throw new RangeError(`no such market: ${order.marketId}`);
    return market;
  }
}

/** Number of lots filled for an order in a status. */
function filledLots(status: OrderStatus, lots: number, random: Random): number {
  switch (status) {
    case OrderStatus.PENDING:
    case OrderStatus.CANCELLED:
      return 0;
    case OrderStatus.PARTIALLY_FILLED:
    case OrderStatus.PARTIALLY_MERGED:
    case OrderStatus.PARTIALLY_CANCELLED:
      return random.integer(Math.ceil(lots / 2), lots - 1);
    default:
      return lots;
  }
}

/** Trigger price of a stop-loss or take-profit order: before liquidation, or at a gain. */
function triggerOf(
  market: Market,
  type: "STOP_LOSS" | "TAKE_PROFIT",
  side: Side,
  entry: number,
  leverage: number,
): number {
  const away = ((side === Side.LONG) === (type === "TAKE_PROFIT") ? 0.45 : -0.45) / Math.max(leverage, 2);
  return onTick(market, entry * (1 + away));
}

/** Rounds a price to the market's tick, with a minimum of one tick. */
export function onTick({ tickDecimals }: Market, price: number): number {
  return Math.max(1, Math.round(price * 10 ** tickDecimals)) / 10 ** tickDecimals;
}

/** Converts lots to underlying units. */
export function unitsOf({ sizeDecimals }: Market, lots: number): number {
  return lots / 10 ** sizeDecimals;
}

/** Converts underlying units to lots. */
export function lotsOf({ sizeDecimals }: Market, units: number): number {
  return Math.round(units * 10 ** sizeDecimals);
}

/** Rounds an amount of quote units to six decimals. */
export function money(amount: number): number {
  return Math.round(amount * 1e6) / 1e6;
}

/** Rounds to 12 significant digits, to remove floating-point noise. */
export function significant(value: number): number {
  return Number(value.toPrecision(12));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
