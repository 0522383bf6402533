import { applyChanges, type Dataset, type DatasetChanges, mapMarkets } from "./dataset/dataset.js";
import { addressOf } from "./dataset/markets.js";
import type { Market, OrderRecord, PositionRecord } from "./dataset/model.js";
import { lotsOf, money, onTick, Platform, unitsOf } from "./dataset/platform.js";
import { stamp } from "./dataset/timeline.js";
import { OrderStatus } from "./gen/order_service/v1/order_service_pb.js";
import { type EpochNanoseconds, instantOfMs } from "./instant.js";
import { isActiveStatus, liveFigures } from "./messages.js";
import { Random } from "./random.js";

/** Default time between changes, in milliseconds. */
const defaultPeriodMs = 150;

/** Maximum number of changes made in one go after the timer fired late. */
const maxStepsAtOnce = 50;

/** How long former states are kept, in milliseconds. */
const historyMs = 5_000;

/** Maximum drift of a mark price from its starting value: half a percent. */
const maxDrift = 0.005;

/** How likely margin is added to an open position in a step, where margins change. */
const marginChance = 0.1;

/**
 * Simulates a live platform: prices move, orders are placed, filled and cancelled, positions open, change and close.
 *
 * Each step creates a new dataset in which every documented relation holds, so any answer from a single dataset is a
 * consistent snapshot.
 */
export class Churn {
  #dataset: Dataset;
  /** Former states, oldest first, each with the time at which it was replaced. */
  readonly #former: { readonly until: number; readonly dataset: Dataset }[] = [];
  #timer: NodeJS.Timeout | undefined;
  readonly #now: () => number;
  readonly #random: Random;
  readonly #platform: Platform;
  readonly #openAtFirst: number;
  readonly #changesMargins: boolean;

  /**
   * @param now the clock, in milliseconds since 1970.
   * @param changesMargins whether each step also adds margin to some open positions
   */
  constructor(start: Dataset, now: () => number, changesMargins = false) {
    this.#dataset = start;
    this.#now = now;
    this.#random = new Random(start.seed, "churn");
    this.#platform = new Platform(nextIds(start), this.#random);
    this.#openAtFirst = this.#countOpen();
    this.#changesMargins = changesMargins;
  }

  /** The current state. */
  get dataset(): Dataset {
    return this.#dataset;
  }

  /** The state `ms` milliseconds ago, at most {@link historyMs}. */
  before(ms: number): Dataset {
    const before = this.#now() - ms;
    return this.#former.find(({ until }) => until > before)?.dataset ?? this.#dataset;
  }

  /**
   * Makes a change every `periodMs` milliseconds and catches up after delays, so a busy machine sees as many changes. Does
   * not keep the process alive.
   */
  start(periodMs = defaultPeriodMs): void {
    let next = performance.now() + periodMs;
    this.#timer ??= setInterval(() => {
      const now = performance.now();
      for (let steps = 0; next <= now && steps < maxStepsAtOnce; steps++, next += periodMs) this.step();
      next = Math.max(next, now);
    }, periodMs).unref();
  }

  /** Stops making changes. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Moves the prices of all markets and makes one other change. `start` calls this periodically. */
  step(): void {
    const now = instantOfMs(this.#now());
    const change = this.#random.pick([
      () => this.#changeBook(),
      () => this.#changeBook(),
      () => this.#placeOrder(now),
      () => this.#settleOrder(now),
      () => this.#changePosition(now),
      () => this.#closePosition(now),
    ]);
    const until = this.#now();
    this.#former.push({ until, dataset: this.#dataset });
    while ((this.#former[0]?.until ?? until) < until - historyMs) this.#former.shift();
    this.#dataset = this.#withMovedPrices();
    this.#dataset = applyChanges(this.#dataset, change());
    if (this.#changesMargins) this.#dataset = applyChanges(this.#dataset, this.#addMargins(now));
  }

  #withMovedPrices(): Dataset {
    return mapMarkets(this.#dataset, (market) => {
      const { basePrice } = market;
      const moved = market.markPrice * (1 + this.#random.between(-0.0005, 0.0005));
      const markPrice = Math.min(Math.max(moved, basePrice * (1 - maxDrift)), basePrice * (1 + maxDrift));
      return { ...market, markPrice: onTick(market, markPrice) };
    });
  }

  #changeBook(): DatasetChanges {
    const market = this.#random.pick([...this.#dataset.markets.values()]);
    const touched = this.#random.integer(0, market.depth.length - 1);
    const depth = market.depth.map((order, i) =>
      i === touched
        ? { ...order, size: unitsOf(market, this.#random.integer(1, 2 * lotsOf(market, order.size))) }
        : order,
    );
    return { markets: [{ ...market, depth }] };
  }

  #placeOrder(now: EpochNanoseconds): DatasetChanges {
    const market = this.#random.pick([...this.#dataset.markets.values()].filter(({ listed }) => listed));
    // Picking the owner of a random order favours wallets with many orders.
    const { orders, seed } = this.#dataset;
    const owner = orders.length === 0 ? addressOf("first", seed) : this.#random.pick(orders).owner;
    const status = OrderStatus.PENDING;
    this.#platform.opening({ owner, market, place: 0, status, attached: this.#random.chance(0.3) });
    return { orders: this.#takeNew(now) };
  }

  /** Fills a pending opening order, which opens its position, or cancels it. */
  #settleOrder(now: EpochNanoseconds): DatasetChanges {
    const pending = this.#dataset.orders.filter((order) => !order.reduceOnly && order.status === OrderStatus.PENDING);
    if (pending.length === 0) return this.#placeOrder(now);
    const order = this.#random.pick(pending);
    const market = this.#marketOf(order);
    if (this.#random.chance(0.4)) return { orders: [{ row: cancelled(order, now), replaces: order }] };
    const filled: OrderRecord = {
      ...order,
      status: OrderStatus.FULLY_FILLED,
      filledSize: order.size,
      unfilledSize: 0,
      averageFillPrice: market.markPrice,
      fees: money(order.size * market.markPrice * (market.tradeFeePct / 100)),
      updatedAt: now,
    };
    const position = this.#platform.position(filled, { open: true, place: 0 });
    this.#takeNew(now);
    return { orders: [{ row: filled, replaces: order }], positions: [{ row: position }] };
  }

  /** Adds margin to an open position, adds a protective order, or cancels one. */
  #changePosition(now: EpochNanoseconds): DatasetChanges {
    const position = this.#pickOpen();
    if (position === undefined) return this.#settleOrder(now);
    const protective = position.orders.find((order) => order.reduceOnly && order.status === OrderStatus.PENDING);
    const choice = this.#random.integer(0, 2);
    if (choice === 0) {
      return { positions: [withMargin(position, 1.1, now)] };
    }
    if (choice === 1 && protective !== undefined) {
      const row = cancelled(protective, now);
      const orders = position.orders.map((order) => (order === protective ? row : order));
      return {
        orders: [{ row, replaces: protective }],
        positions: [{ row: { ...position, orders }, replaces: position }],
      };
    }
    const type = this.#random.pick(["STOP_LOSS", "TAKE_PROFIT"] as const);
    const order = this.#platform.reduce(openingOf(position), {
      place: 0,
      type,
      status: OrderStatus.PENDING,
      part: 0.5,
    });
    const orders = [...position.orders, order];
    return { orders: this.#takeNew(now), positions: [{ row: { ...position, orders }, replaces: position }] };
  }

  /** Adds a little margin to some open positions. */
  #addMargins(now: EpochNanoseconds): DatasetChanges {
    const open = this.#dataset.positions.filter((position) => position.open && this.#random.chance(marginChance));
    return { positions: open.map((position) => withMargin(position, 1.01, now)) };
  }

  /** Closes an open position with a manual order and ends its other active orders. */
  #closePosition(now: EpochNanoseconds): DatasetChanges {
    const position = this.#pickOpen();
    // Keeps the number of open positions near its starting value, however long this runs.
    if (position === undefined || this.#countOpen() < this.#openAtFirst) return this.#settleOrder(now);
    const ended = new Map<OrderRecord, OrderRecord>();
    for (const order of position.orders) {
      const row = closed(order, now);
      if (row !== order) ended.set(order, row);
    }
    const terms = { place: 0, type: "MANUAL", status: OrderStatus.FULLY_FILLED, part: 1 } as const;
    const closing = this.#platform.reduce(openingOf(position), terms);
    const { unrealizedPnl } = liveFigures(this.#marketOf(position), position);
    const row: PositionRecord = {
      ...position,
      open: false,
      timestamp: now,
      realizedPnl: money(position.realizedPnl + unrealizedPnl),
      orders: [...position.orders.map((order) => ended.get(order) ?? order), closing],
    };
    return {
      orders: [...[...ended].map(([replaces, order]) => ({ row: order, replaces })), ...this.#takeNew(now)],
      positions: [{ row, replaces: position }],
    };
  }

  #countOpen(): number {
    return this.#dataset.positions.filter(({ open }) => open).length;
  }

  #pickOpen(): PositionRecord | undefined {
    const open = this.#dataset.positions.filter((position) => position.open);
    return open.length === 0 ? undefined : this.#random.pick(open);
  }

  #marketOf({ marketId }: { readonly marketId: bigint }): Market {
    const market = this.#dataset.markets.get(marketId);
    if (market === undefined) throw new RangeError(`no such market: ${marketId}`);
    return market;
  }

  /** Stamps the rows the platform has just created with the time, and returns the new orders. */
  #takeNew(now: EpochNanoseconds): { row: OrderRecord }[] {
    for (const event of this.#platform.events.splice(0)) stamp(event, now);
    this.#platform.positions.length = 0;
    return this.#platform.orders.splice(0).map((row) => ({ row }));
  }
}

/** Each market with its next unused order id. */
function nextIds(dataset: Dataset) {
  const next = new Map([...dataset.markets.keys()].map((id) => [id, 1n]));
  for (const { marketId, orderId } of dataset.orders) {
    if (orderId >= (next.get(marketId) ?? 1n)) next.set(marketId, orderId + 1n);
  }
  return [...dataset.markets.values()].map((market) => ({ market, firstOrderId: next.get(market.id) ?? 1n }));
}

function openingOf(position: PositionRecord): OrderRecord {
  const opening = position.orders[0];
  if (opening === undefined) throw new RangeError(`position ${position.positionId} has no orders`);
  return opening;
}

/** The change of a position whose margin grows by a factor. */
function withMargin(position: PositionRecord, factor: number, now: EpochNanoseconds) {
  const allocatedMargin = money(position.allocatedMargin * factor);
  return { row: { ...position, allocatedMargin, timestamp: now }, replaces: position };
}

/** The order with its unfilled remainder cancelled. */
function cancelled(order: OrderRecord, now: EpochNanoseconds): OrderRecord {
  const status = order.filledSize > 0 ? OrderStatus.PARTIALLY_CANCELLED : OrderStatus.CANCELLED;
  return { ...order, status, updatedAt: now };
}

/** The order after its position was closed. */
function closed(order: OrderRecord, now: EpochNanoseconds): OrderRecord {
  if (isActiveStatus(order.status)) return cancelled(order, now);
  return order.status === OrderStatus.FULLY_FILLED && !order.reduceOnly
    ? { ...order, status: OrderStatus.CLOSED, updatedAt: now }
    : order;
}
