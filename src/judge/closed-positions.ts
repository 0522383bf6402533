import type { OrderStatus } from "../specification/enums.js";
import { groupBy } from "../specification/group-by.js";
import { compareInstants, type Instant, mostDigitsShown, surelyBefore } from "./instant.js";
import { type Judgement, judgeEach } from "./judgement.js";
import type { OrderView, PositionView } from "./read.js";
import { positionKey } from "./read-stored.js";

/** What the operations show of one wallet. */
export interface WalletHistory {
  /** Lower case. */
  readonly owner: string;
  /** Its orders, of any status (§4.4). */
  readonly orders: readonly OrderView[];
  /** The positions that its portfolio lists: the open ones (§4.5). */
  readonly open: readonly PositionView[];
}

/**
 * The listing includes closed positions (§4.1). If a wallet's opening order was filled in a market where the wallet has
 * no open position of that side, the listing has a closed one, which is at least as recent as the fill (R10, R18). Without
 * such an order, a position that its owner's portfolio does not list shows that closed ones are included.
 *
 * @param before ignores orders and positions from this instant on: they may not have been shown yet
 * @param after ignores orders up to this instant: the listing was only read down to it
 */
export function closedAreListed(
  wallets: readonly WalletHistory[],
  listing: readonly PositionView[],
  before: Instant,
  after?: Instant,
): Judgement {
  const listed = groupBy(listing, ({ owner }) => owner.toLowerCase());
  const filled = wallets.flatMap(({ owner, orders, open }) =>
    filledOpenings(orders, before, after)
      .filter((order) => !open.some((position) => sharesMarketAndSide(order, position)))
      .map((order) => ({ order, owner })),
  );
  const digits = Math.min(
    mostDigitsShown(listing.map(({ timestamp }) => timestamp)),
    mostDigitsShown(filled.map(({ order }) => order.timestamp)),
  );
  const isRecentEnough = (order: OrderView, position: PositionView) => {
    const [filledAt, changedAt] = [order.timestamp.instant, position.timestamp.instant];
    const canTell = filledAt && changedAt && statusesDatingPosition.includes(order.status);
    return !canTell || !surelyBefore(changedAt, filledAt, digits);
  };
  const portfolios = new Map(wallets.map(({ owner, open }) => [owner, new Set(open.map(positionKey))]));
  const closed = listing.filter((position) => {
    const open = portfolios.get(position.owner.toLowerCase());
    const { instant } = position.timestamp;
    return open && instant && compareInstants(instant, before) < 0 && !open.has(positionKey(position));
  });
  const judgement = judgeEach(
    filled,
    ({ order, owner }) =>
      listed.get(owner)?.some((position) => sharesMarketAndSide(order, position) && isRecentEnough(order, position))
        ? undefined
        : {
            path: "positions",
            expected: `a closed position of ${owner} in market ${order.marketId}, in which its order ${order.orderId} was filled at ${order.timestamp.text} and no such position is open`,
            seen: "none",
          },
    "a wallet with a filled opening order in a market in which its portfolio lists no position of that side",
  );
  return { ...judgement, examined: judgement.examined || closed.length };
}

/** Whether an order and a position have the same market and side. A side that is not shown matches any. */
function sharesMarketAndSide(order: OrderView, { marketId, side }: PositionView): boolean {
  return order.marketId === marketId && (order.side === side || order.side === "" || side === "");
}

/** Statuses in which a filled amount proves that there is a position. What merging does to an order is not shown (R10). */
const statusesProvingFill: readonly string[] = [
  "ORDER_STATUS_FULLY_FILLED",
  "ORDER_STATUS_PARTIALLY_FILLED",
  "ORDER_STATUS_CLOSED",
  "ORDER_STATUS_PARTIALLY_CANCELLED",
] satisfies OrderStatus[];

/** Those of them whose last event also changed the position. With others, the rest of the order may be cancelled later. */
const statusesDatingPosition: readonly string[] = [
  "ORDER_STATUS_FULLY_FILLED",
  "ORDER_STATUS_CLOSED",
] satisfies OrderStatus[];

/** The opening orders between `after` and `before` that were filled at least in part. */
function filledOpenings(orders: readonly OrderView[], before: Instant, after?: Instant): readonly OrderView[] {
  return orders.filter(
    ({ reduceOnly, filledSize, status, timestamp: { instant } }) =>
      !reduceOnly &&
      filledSize > 0 &&
      statusesProvingFill.includes(status) &&
      instant !== undefined &&
      compareInstants(instant, before) < 0 &&
      (after === undefined || compareInstants(instant, after) > 0),
  );
}
