import { OrderStatus } from "../gen/order_service/v1/order_service_pb.js";
import { isActiveStatus, liveFigures, positionMessage } from "../messages.js";
import { type Dataset, newestOrderFirst, newestPositionFirst } from "./dataset.js";
import type { OrderRecord, PositionRecord } from "./model.js";

/** Every documented relation that does not hold in a dataset, in words; empty when all is well. */
export function brokenRelations(dataset: Dataset): string[] {
  return [
    ...brokenListings(dataset),
    ...dataset.orders.flatMap((order) => brokenOrder(dataset, order).map((what) => `${nameOf(order)}: ${what}`)),
    ...dataset.positions.flatMap((position) =>
      brokenPosition(dataset, position).map(
        (what) => `position ${position.positionId} of ${position.marketId}: ${what}`,
      ),
    ),
  ];
}

function nameOf({ orderId, marketId, reduceOnly }: OrderRecord): string {
  return `${reduceOnly ? "reduce" : "opening"} order ${orderId} of ${marketId}`;
}

function when(broken: boolean, what: string): string[] {
  return broken ? [what] : [];
}

function brokenListings({ orders, positions, wallets }: Dataset): string[] {
  const orderNames = new Set(orders.map(nameOf));
  const positionNames = new Set(positions.map(({ positionId, marketId }) => `${positionId}/${marketId}`));
  const ofWallets = [...wallets.values()];
  return [
    ...when(orderNames.size !== orders.length, "two orders share an identity"),
    ...when(positionNames.size !== positions.length, "two positions share an identity"),
    ...when(!isSorted(orders, newestOrderFirst), "orders are not newest first"),
    ...when(!isSorted(positions, newestPositionFirst), "positions are not newest first"),
    ...ofWallets.flatMap((wallet) => [
      ...when(wallet.address !== wallet.address.toLowerCase(), `wallet ${wallet.address} is not lower case`),
      ...when(!isSorted(wallet.orders, newestOrderFirst), `orders of ${wallet.address} are not newest first`),
      ...when(!isSorted(wallet.positions, newestPositionFirst), `positions of ${wallet.address} are not newest first`),
      ...when(
        [...wallet.orders, ...wallet.positions].some((row) => row.owner !== wallet.address),
        `wallet ${wallet.address} holds a row of another owner`,
      ),
    ]),
    ...when(
      !sameRows(
        orders,
        ofWallets.flatMap((wallet) => wallet.orders),
      ),
      "the wallets' orders are not all orders",
    ),
    ...when(
      !sameRows(
        positions,
        ofWallets.flatMap((wallet) => wallet.positions),
      ),
      "the wallets' positions are not all positions",
    ),
    ...when(
      !containsAll(
        orders,
        positions.flatMap((position) => position.orders),
      ),
      "a position holds an order in another state than the listing",
    ),
  ];
}

function isSorted<T>(rows: readonly T[], compare: (a: T, b: T) => number): boolean {
  return rows.every((row, i) => i === 0 || compare(rows[i - 1] as T, row) < 0);
}

function sameRows<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && containsAll(a, b);
}

function containsAll<T>(all: readonly T[], some: readonly T[]): boolean {
  const known = new Set(all);
  return some.every((row) => known.has(row));
}

function near(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.max(1e-9, 1e-6 * Math.max(Math.abs(a), Math.abs(b)));
}

function brokenOrder({ markets }: Dataset, order: OrderRecord): string[] {
  const { size, filledSize, unfilledSize, status, reduceOnly, triggerPrice } = order;
  const market = markets.get(order.marketId);
  const isPart = filledSize > 0 && unfilledSize > 0;
  const partly =
    status === OrderStatus.PARTIALLY_FILLED ||
    status === OrderStatus.PARTIALLY_MERGED ||
    status === OrderStatus.PARTIALLY_CANCELLED;
  const nothing = status === OrderStatus.PENDING || status === OrderStatus.CANCELLED;
  const waits = order.reduceOrderType === "STOP_LOSS" || order.reduceOrderType === "TAKE_PROFIT";
  return [
    ...when(
      !(size > 0 && order.thresholdPrice > 0 && order.initialMargin > 0),
      "size, price or margin is not positive",
    ),
    ...when(!near(size, filledSize + unfilledSize), "size is not filled plus unfilled"),
    ...when(partly !== isPart || nothing !== (filledSize === 0), `filled ${filledSize} of ${size} in status ${status}`),
    ...when(filledSize > 0 !== order.averageFillPrice > 0, "has fills without a price, or a price without fills"),
    ...when(reduceOnly !== (order.reduceOrderType !== ""), "reduceOrderType does not tell its kind"),
    ...when(reduceOnly && (order.stopLossPrice !== 0 || order.takeProfitPrice !== 0), "carries attached triggers"),
    ...when(
      !reduceOnly && (order.rebates !== 0 || order.leverage <= 0),
      "an opening order with rebates or no leverage",
    ),
    ...when(waits !== triggerPrice > 0, "trigger price does not fit its type"),
    ...when(order.updatedAt < order.createdAt, "was updated before it was created"),
    ...when(market === undefined, "its market does not exist"),
  ];
}

function brokenPosition(dataset: Dataset, position: PositionRecord): string[] {
  const { markets } = dataset;
  const market = markets.get(position.marketId);
  const [opening] = position.orders;
  const figures = liveFigures(market, position);
  const gain = (figures.markPrice - position.entryPrice) * (position.side === opening?.side ? 1 : Number.NaN);
  const message = positionMessage(dataset, position);
  const isOpening = opening !== undefined && !opening.reduceOnly && opening.orderId === position.positionId;
  return [
    ...when(!isOpening || opening.marketId !== position.marketId, "its opening order is not its first order"),
    ...when(new Set(position.orders.map(nameOf)).size !== position.orders.length, "names an order twice"),
    ...when(
      position.orders.some((order) => order.side !== position.side || order.leverage !== position.leverage),
      "an order has another side or leverage",
    ),
    ...when(
      position.orders.some((order) => order.owner !== position.owner || order.marketId !== position.marketId),
      "an order has another owner or market",
    ),
    ...when(opening !== undefined && opening.filledSize === 0, "was opened by an order without fills"),
    ...when(
      !position.open && position.orders.some((order) => isActiveStatus(order.status)),
      "is closed with active orders",
    ),
    ...when(!(position.nominalSize > 0 && position.entryPrice > 0 && position.allocatedMargin > 0), "is empty"),
    ...when(opening !== undefined && position.timestamp < opening.createdAt, "is older than its opening order"),
    ...when(
      Math.sign(figures.unrealizedPnl) !== Math.sign(gain) * (position.side === 1 ? 1 : -1),
      "unrealizedPnl has the wrong sign",
    ),
    ...when(
      market?.listed === false
        ? figures.estimatedRebate !== -1
        : figures.estimatedRebate < 0 || (market?.longRevenue === 0 && figures.estimatedRebate !== 0),
      `estimatedRebate is ${figures.estimatedRebate}`,
    ),
    ...when(message.effectiveSize !== message.nominalSize, "effectiveSize is not nominalSize"),
    ...(["STOP_LOSS", "TAKE_PROFIT"] as const).flatMap((type) => {
      const active = position.orders.some((order) => order.reduceOrderType === type && isActiveStatus(order.status));
      const price = type === "STOP_LOSS" ? message.stopLossPrice : message.takeProfitPrice;
      return when(active !== price > 0, `${type} price is ${price}`);
    }),
  ];
}
