import type { OrderStatus } from "../specification/enums.js";
import { compareInstants, type Instant } from "./instant.js";
import { type Judgement, judgeEach } from "./judgement.js";
import type { OrderView, PositionView } from "./read.js";

/** What operations told of one wallet. */
export interface WalletHistory {
  /** Lower case. */
  readonly owner: string;
  /** Its orders, of any status (§4.4). */
  readonly orders: readonly OrderView[];
  /** The positions that its portfolio lists: the open ones (§4.5). */
  readonly open: readonly PositionView[];
}

/**
 * The listing includes closed positions (§4.1): where a wallet's opening orders were filled in a market in which it has no open
 * position, there is a closed one, so the listing has a position of that wallet in that market.
 *
 * Markets and wallets of which the listing shows nothing at all are passed over: it lacks more than closed positions then.
 *
 * @param before orders after this instant are not looked at: their positions may not have been listed yet
 * @param after orders up to this instant are not looked at: of a listing that is read down to it, their positions may be in
 * what was not read; those of later orders are not, since a position is at least as recent as what opened it
 */
export function closedAreListed(
  wallets: readonly WalletHistory[],
  listing: readonly PositionView[],
  before: Instant,
  after?: Instant,
): Judgement {
  const owners = new Set(listing.map(({ owner }) => owner.toLowerCase()));
  const markets = new Set(listing.map(({ marketId }) => marketId));
  const places = new Set(listing.map(({ owner, marketId }) => `${owner.toLowerCase()} ${marketId}`));
  const left = wallets
    .filter(({ owner }) => owners.has(owner))
    .flatMap(({ owner, orders, open }) =>
      [...tradedMarkets(orders, before, after)]
        .filter((marketId) => markets.has(marketId) && !open.some((position) => position.marketId === marketId))
        .map((marketId) => ({ owner, marketId })),
    );
  return judgeEach(
    left,
    ({ owner, marketId }) =>
      places.has(`${owner} ${marketId}`)
        ? undefined
        : {
            path: "positions",
            expected: `a closed position of ${owner} in market ${marketId}, where its orders were filled and none is open`,
            seen: "none",
          },
    "a wallet with a filled opening order in a market in which its portfolio lists no position",
  );
}

/** The statuses from which a filled amount shows that there is a position: what merging does to an order is not shown (R10). */
const tellingStatuses: readonly string[] = [
  "ORDER_STATUS_FULLY_FILLED",
  "ORDER_STATUS_PARTIALLY_FILLED",
  "ORDER_STATUS_CLOSED",
  "ORDER_STATUS_PARTIALLY_CANCELLED",
] satisfies OrderStatus[];

/** Markets in which something was filled. */
function tradedMarkets(orders: readonly OrderView[], before: Instant, after?: Instant): ReadonlySet<string> {
  const filled = orders.filter(
    ({ reduceOnly, filledSize, status, timestamp: { instant } }) =>
      !reduceOnly &&
      filledSize > 0 &&
      tellingStatuses.includes(status) &&
      instant !== undefined &&
      compareInstants(instant, before) < 0 &&
      (after === undefined || compareInstants(instant, after) > 0),
  );
  return new Set(filled.map(({ marketId }) => marketId));
}
