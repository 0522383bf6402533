import {
  all,
  hasCapitals,
  hasTimeout,
  isHeaviest,
  isPadded,
  lacksVersion,
  loses,
  marketAt,
  mistakesAddresses,
  noAddress,
  type RequestCondition,
  rewrites,
  walletByOpenPositions,
  walletsByOrders,
  withForeignOrder,
  withOffset,
} from "../conditional-interceptors.js";
import type { OrderRecord, PositionRecord } from "../dataset/model.js";
import { type MutableJsonObject, numberIn, objectAt } from "../json.js";
import { isActiveStatus } from "../messages.js";
import { breaking, type CallContext, type Mutant, on, rulesOn } from "../modification.js";
import {
  editListedOrders,
  editPagination,
  editPositions,
  orderRows,
  positionRows,
  startingAt,
} from "../resource-interceptors.js";
import { invalidArgument } from "../service/selector.js";

const orders = "GetAllOrders";
const positions = "GetAllPositions";

/** Effective parameters of a page. */
interface PageParameters {
  readonly limit: number;
  readonly offset: number;
  /** Empty for the orders of all wallets. */
  readonly address: string;
  readonly onlyOpen: boolean;
}

/** Whether a page is one of those that a client reads which asks for full pages, one after the other. */
const isFullPage = ({ offset, limit }: PageParameters) => limit === 1_000 && offset % 1_000 === 0;

/** The page of a call; without filters on GetAllPositions. */
function pageOf({ effective }: CallContext): PageParameters {
  return { address: "", onlyOpen: false, ...effective } as PageParameters;
}

/** Shifts the start of pages by `shift` rows, when `when` holds. */
function shifted<Row>(
  rows: readonly Row[],
  context: CallContext,
  when: (page: PageParameters, before: Row | undefined, first: Row | undefined) => boolean,
  shift: (page: PageParameters) => number,
): readonly Row[] {
  const page = pageOf(context);
  const { offset } = page;
  return offset > 0 && when(page, rows[offset - 1], rows[offset])
    ? startingAt(rows, offset, Math.max(0, offset + shift(page)))
    : rows;
}

/** Whether a page starts beyond the last row. */
function isBeyondTheEnd({ totalCount }: MutableJsonObject, { offset }: PageParameters): boolean {
  return offset > 0 && offset >= Number(totalCount);
}

/** Edits the pagination of one listing in place. */
function pagination(
  endpoint: typeof orders | typeof positions,
  change: (pagination: MutableJsonObject, page: PageParameters, context: CallContext) => void,
): Mutant["response"] {
  return editPagination((found, context) => change(found, pageOf(context), context), endpoint);
}

/** Orders of other wallets that are no newer than `newest` and match `onlyOpen`. */
function othersSince(
  { dataset }: CallContext,
  { address, onlyOpen }: PageParameters,
  newest: OrderRecord,
): OrderRecord[] {
  return dataset.orders.filter(
    ({ owner, createdAt, status }) =>
      owner !== address && createdAt <= newest.createdAt && (!onlyOpen || isActiveStatus(status)),
  );
}

const withAddress: RequestCondition = (json) => typeof json.address === "string" && json.address.trim() !== "";
const onlyOpen: RequestCondition = (json) => json.onlyOpen === true;

/** Order listings that are wrong for a combination of fields, for one wallet, or on one page. */
const orderListing: readonly Mutant[] = [
  ...breaking("pagination.limit", {
    // limit
    "all-orders-limit-lost-with-only-open": {
      summary: "GetAllOrders ignores a limit of up to 1000 when only open orders are asked for.",
      alsoFails: ["pagination.row-count"],
      request: loses(
        orders,
        "limit",
        all(onlyOpen, (json) => numberIn(json, "limit") > 0 && numberIn(json, "limit") <= 1000),
      ),
    },
    "all-orders-limit-lost-behind-another-field": {
      summary: "GetAllOrders ignores a limit of up to 1000 that does not stand first in the request.",
      alsoFails: rulesOn(orders),
      request: loses(
        orders,
        "limit",
        (json) => Object.keys(json)[0] !== "limit" && numberIn(json, "limit") > 0 && numberIn(json, "limit") <= 1000,
      ),
    },
  }),

  ...breaking("pagination.row-count", {
    "all-orders-500-rows-for-a-limit-below-the-cap": {
      summary: "GetAllOrders returns 500 rows where the limit is 501 to 999.",
      alsoFails: ["pagination.limit", "pagination.total-count"],
      request: rewrites(
        orders,
        (json) => numberIn(json, "limit") > 500 && numberIn(json, "limit") < 1000,
        (json) => ({ ...json, limit: 500 }),
      ),
    },
  }),

  ...breaking("relations.open-orders-agree", {
    "all-orders-lacks-an-open-order-of-one-wallet": {
      summary:
        "GetAllOrders leaves out the oldest open order of the wallet with the second most open positions when asked for by its address.",
      alsoFails: ["get-all-orders.only-open", "pagination.total-count"],
      ...orderRows(orders, (rows, { dataset, effective }) =>
        effective.onlyOpen === true && effective.address === walletByOpenPositions(dataset, 1)
          ? rows.slice(0, -1)
          : rows,
      ),
    },
  }),

  ...breaking("get-all-orders.limit-default", {
    "all-orders-default-25-of-a-wallet-after-an-offset": {
      summary: "GetAllOrders returns pages of 25 by default when an address comes with an offset.",
      alsoFails: ["pagination.total-count"],
      request: rewrites(
        orders,
        all(withAddress, withOffset, (json) => json.limit === undefined),
        (json) => ({ ...json, limit: 25 }),
      ),
    },
  }),

  ...breaking("get-all-orders.limit-zero", {
    "all-orders-limit-zero-unlimited-of-a-wallet": {
      summary: "GetAllOrders takes an explicit limit of 0 for 1000 when an address is given.",
      request: rewrites(
        orders,
        all(withAddress, (json) => json.limit === 0),
        (json) => ({ ...json, limit: 1000 }),
      ),
    },
  }),

  ...breaking("pagination.total-count", {
    "all-orders-of-a-wallet-none-in-total-beyond-the-end": {
      summary: "GetAllOrders counts no orders in total when an address comes with an offset beyond the end.",
      response: pagination(orders, (pagination, page) => {
        if (page.address !== "" && isBeyondTheEnd(pagination, page)) pagination.totalCount = "0";
      }),
    },
  }),

  ...breaking("get-all-orders.limit-cap", {
    "all-orders-limit-of-16-bits": {
      summary: "GetAllOrders takes what 16 bits hold of a limit.",
      request: rewrites(
        orders,
        (json) => numberIn(json, "limit") > 0xffff,
        (json) => ({ ...json, limit: numberIn(json, "limit") & 0xffff }),
      ),
    },
    "all-orders-open-ones-capped-at-500": {
      summary: "GetAllOrders caps a limit above 1000 to 500 when only open orders are asked for.",
      alsoFails: ["pagination.limit"],
      request: rewrites(
        orders,
        all(onlyOpen, (json) => numberIn(json, "limit") > 1000),
        (json) => ({ ...json, limit: 500 }),
      ),
    },
    "all-orders-over-limit-of-a-wallet-is-the-default-after-an-offset": {
      summary: "GetAllOrders takes a limit above 1000 for the default one when an address comes with an offset.",
      alsoFails: ["pagination.limit"],
      request: loses(
        orders,
        "limit",
        all(withAddress, withOffset, (json) => numberIn(json, "limit") > 1000),
      ),
    },
  }),

  ...breaking("pagination.row-count", {
    "all-orders-no-row-at-the-last-offset-of-a-wallets-open-ones": {
      summary: "GetAllOrders returns no rows where only the last open order of a wallet is left.",
      alsoFails: [
        "pagination.total-count",
        "get-all-orders.limit-cap",
        "get-all-orders.limit-default",
        "get-all-orders.limit-zero",
      ],
      response: on(orders, (json, context) => {
        const { address, onlyOpen, offset } = pageOf(context);
        const isLast = offset > 0 && offset === Number(objectAt(json, "pagination")?.totalCount) - 1;
        return address !== "" && onlyOpen && isLast ? { ...json, orders: [] } : json;
      }),
    },
    "all-orders-full-pages-of-a-wallet-hold-999": {
      summary: "GetAllOrders returns 999 orders of a wallet on a page of 1000.",
      alsoFails: ["relations.wallet-orders-agree", "pagination.total-count"],
      response: on(orders, (json, context) => {
        if (pageOf(context).address !== "" && Array.isArray(json.orders)) json.orders = json.orders.slice(0, 999);
        return json;
      }),
    },
    "all-orders-full-pages-soon-after-an-offset-hold-999": {
      summary: "GetAllOrders returns 999 rows where the limit is exactly 1000 and the offset 1 to 999.",
      response: on(orders, (json, context) => {
        const { offset } = pageOf(context);
        const isMeant = numberIn(context.request, "limit") === 1000 && offset > 0 && offset < 1000;
        if (isMeant && Array.isArray(json.orders)) json.orders = json.orders.slice(0, 999);
        return json;
      }),
    },
    "all-orders-pages-of-a-wallet-hold-100-at-most": {
      summary: "GetAllOrders promises pages of up to 1000 orders of a wallet, and never returns more than 100.",
      alsoFails: ["relations.wallet-orders-agree", "pagination.total-count"],
      response: on(orders, (json, context) => {
        if (pageOf(context).address !== "" && Array.isArray(json.orders)) json.orders = json.orders.slice(0, 100);
        return json;
      }),
    },
  }),

  ...breaking("pagination.offset-skips-rows", {
    // onlyOpen and offset
    "all-orders-late-pages-of-open-orders-end-with-a-terminal-one": {
      summary:
        "GetAllOrders ends pages of all open orders that begin at 90 or later, but not at the end, with a terminal one.",
      alsoFails: ["get-all-orders.only-open", "get-all-orders.sorted-by-timestamp"],
      ...orderRows(orders, (rows, context) => {
        const { address, onlyOpen, offset, limit } = pageOf(context);
        const last = offset + limit - 1;
        if (address !== "" || !onlyOpen || offset < 90 || limit < 2 || last >= rows.length) return rows;
        const terminal = context.dataset.orders.find(({ status }) => !isActiveStatus(status));
        return terminal ? rows.with(last, terminal) : rows;
      }),
    },
    // offset
    "all-orders-offset-only-echoed-of-open-orders": {
      summary:
        "GetAllOrders reports the offset, but skips nothing, when only open orders of all wallets are asked for.",
      ...orderRows(orders, (rows, context) =>
        shifted(
          rows,
          context,
          ({ onlyOpen, address }) => onlyOpen && address === "",
          ({ offset }) => -offset,
        ),
      ),
    },
    "all-orders-offset-only-echoed-of-a-padded-address": {
      summary: "GetAllOrders reports the offset, but skips nothing, when there is whitespace around the address.",
      alsoFails: ["get-all-orders.address-trimmed"],
      ...orderRows(orders, (rows, context) =>
        shifted(
          rows,
          context,
          () => isPadded(context.request.address),
          ({ offset }) => -offset,
        ),
      ),
    },
    "all-orders-offset-in-whole-pages-of-a-wallet": {
      summary:
        "GetAllOrders takes a wallet's offset for the whole pages that it makes, and skips less than it reports.",
      ...orderRows(orders, (rows, context) =>
        shifted(
          rows,
          context,
          ({ address }) => address !== "",
          ({ offset, limit }) => -(offset % limit),
        ),
      ),
    },
    "all-orders-skip-one-less-of-a-wallet-from-100-to-200": {
      summary: "GetAllOrders skips one order less when an address comes with an offset from 100 to 200.",
      alsoFails: ["pagination.tie-order"],
      ...orderRows(orders, (rows, context) =>
        shifted(
          rows,
          context,
          ({ address, offset }) => address !== "" && offset >= 100 && offset <= 200,
          () => -1,
        ),
      ),
    },
    "all-orders-later-full-pages-begin-a-row-early": {
      summary: "GetAllOrders skips one order less on the second and later full pages of 1000.",
      alsoFails: ["pagination.tie-order"],
      ...orderRows(orders, (rows, context) => shifted(rows, context, isFullPage, () => -1)),
    },
    "all-orders-skip-one-more-in-the-middle": {
      summary: "GetAllOrders skips one order more on pages of all orders that begin in the middle, from 1600 to 1999.",
      alsoFails: ["get-all-orders.sorted-by-timestamp"],
      ...orderRows(orders, (rows, context) =>
        shifted(
          rows,
          context,
          ({ address, onlyOpen, offset }) => address === "" && !onlyOpen && offset >= 1600 && offset < 2000,
          () => 1,
        ),
      ),
    },
    "all-orders-of-the-heaviest-wallet-lose-a-row-between-pages": {
      summary:
        "GetAllOrders leaves out the first row of each page after the first one, for the wallet with most orders alone.",
      alsoFails: ["relations.wallet-orders-agree"],
      ...orderRows(orders, (rows, context) =>
        shifted(
          rows,
          context,
          ({ address, offset, limit }) => offset + limit < rows.length && isHeaviest(context.dataset, address),
          () => 1,
        ),
      ),
    },
  }),

  ...breaking("pagination.offset-beyond-end", {
    "all-orders-offset-beyond-the-end-of-a-wallet-shows-its-last-order": {
      summary: "GetAllOrders returns the last order of a wallet when the offset is beyond the end.",
      alsoFails: ["pagination.row-count", "pagination.offset", "pagination.total-count"],
      request: rewrites(orders, all(withAddress, withOffset), (json, { dataset }) => {
        const wallet = dataset.wallets.get(String(json.address).trim().toLowerCase());
        const last = (wallet?.orders.length ?? 0) - 1;
        return last >= 0 && json.onlyOpen !== true && numberIn(json, "offset") > last
          ? { ...json, offset: last }
          : json;
      }),
    },
  }),

  ...breaking("errors.documented-outcome", {
    "all-orders-offset-beyond-the-end-of-open-orders-refused": {
      summary: "GetAllOrders refuses an offset beyond the end when only open orders are asked for.",
      alsoFails: ["pagination.offset-beyond-end"],
      ...orderRows(orders, (rows, context) => {
        const { offset, onlyOpen } = pageOf(context);
        if (onlyOpen && offset > rows.length) throw invalidArgument("offset is beyond the last order");
        return rows;
      }),
    },
  }),

  ...breaking("get-all-orders.only-open", {
    // onlyOpen
    "all-orders-only-open-lost-after-an-offset": {
      summary: "GetAllOrders forgets onlyOpen when there is an offset.",
      alsoFails: [
        "pagination.total-count",
        "pagination.offset-skips-rows",
        "pagination.offset-beyond-end",
        "relations.open-orders-agree",
      ],
      request: loses(orders, "onlyOpen", all(onlyOpen, withOffset)),
    },
  }),

  ...breaking("get-all-orders.sorted-by-timestamp", {
    "all-orders-open-ones-of-a-wallet-by-market": {
      summary: "GetAllOrders lists the open orders of one wallet market by market.",
      ...orderRows(orders, (rows, context) => {
        const { address, onlyOpen } = pageOf(context);
        if (address === "" || !onlyOpen) return rows;
        const markets = [...context.dataset.markets.keys()];
        return markets.flatMap((id) => rows.filter(({ marketId }) => marketId === id));
      }),
    },
    "all-orders-out-of-order-far-down": {
      summary: "GetAllOrders lists eight orders three fifths down the listing of all wallets oldest first.",
      ...orderRows(orders, (rows, context) => {
        const { address, onlyOpen } = pageOf(context);
        const at = Math.floor(rows.length * 0.6);
        if (address !== "" || onlyOpen) return rows;
        return [...rows.slice(0, at), ...rows.slice(at, at + 8).reverse(), ...rows.slice(at + 8)];
      }),
    },
  }),

  ...breaking("get-all-orders.address-case-insensitive", {
    // address
    "all-orders-mixed-case-address-foreign-from-row-10": {
      summary: "GetAllOrders lists orders of other wallets from the eleventh row on when the address has capitals.",
      alsoFails: [
        "get-all-orders.address-filter",
        "get-all-orders.sorted-by-timestamp",
        "pagination.offset-skips-rows",
        "relations.wallet-orders-agree",
      ],
      ...orderRows(orders, (rows, context) => {
        const [last] = rows.slice(9, 10);
        if (!hasCapitals(context.request.address) || last === undefined) return rows;
        return [...rows.slice(0, 10), ...othersSince(context, pageOf(context), last)].slice(0, rows.length);
      }),
    },
  }),

  ...breaking("pagination.offset-skips-rows", {
    "all-orders-oldest-one-of-a-wallet": {
      summary: "GetAllOrders gives the oldest order of a wallet, in place of the newest, when the limit is 1.",
      ...orderRows(orders, (rows, context) => {
        const { address, limit } = pageOf(context);
        return address !== "" && limit === 1 ? [...rows].reverse() : rows;
      }),
    },
  }),

  ...breaking("get-all-orders.address-trimmed", {
    "all-orders-padded-address-every-other-row": {
      summary: "GetAllOrders lists every other order when there is whitespace around the address.",
      alsoFails: ["pagination.total-count", "pagination.offset-skips-rows", "relations.wallet-orders-agree"],
      ...orderRows(orders, (rows, { request }) =>
        isPadded(request.address) ? rows.filter((_row, index) => index % 2 === 0) : rows,
      ),
    },
    "all-orders-padded-address-with-capitals-unknown": {
      summary: "GetAllOrders does not recognise an address that has both capitals and whitespace around it.",
      alsoFails: ["get-all-orders.address-case-insensitive", "pagination.total-count", "relations.wallet-orders-agree"],
      request: rewrites(
        orders,
        ({ address }) => isPadded(address) && hasCapitals(address),
        (json) => ({ ...json, address: noAddress }),
      ),
    },
    "all-orders-padded-address-unknown-with-only-open": {
      summary: "GetAllOrders does not trim the address when only open orders are asked for.",
      alsoFails: ["relations.open-orders-agree", "pagination.total-count"],
      request: rewrites(
        orders,
        all(onlyOpen, ({ address }) => isPadded(address)),
        (json) => ({ ...json, address: noAddress }),
      ),
    },
  }),

  ...breaking("get-all-orders.unknown-wallet", {
    "all-orders-neighbouring-address-is-the-known-one": {
      summary: "GetAllOrders does not look at the last two digits of an address that it does not know.",
      alsoFails: ["get-all-orders.address-filter"],
      request: mistakesAddresses(orders, (address) => address.slice(0, -2)),
    },
  }),

  ...breaking("get-all-orders.address-filter", {
    "all-orders-foreign-order-amid-the-heaviest-wallet": {
      summary: "GetAllOrders lists an order of another wallet in the middle of those of the wallet with most orders.",
      alsoFails: ["relations.wallet-orders-agree", "pagination.total-count"],
      ...orderRows(orders, (rows, context) => {
        const { address, onlyOpen } = pageOf(context);
        return !onlyOpen && isHeaviest(context.dataset, address) ? withForeignOrder(rows, context) : rows;
      }),
    },
  }),

  ...breaking("pagination.total-count", {
    // totalCount, order and rows far down
    "all-orders-total-of-any-status-of-a-wallets-open-orders": {
      summary:
        "GetAllOrders counts the orders of any status in totalCount when only a wallet's open orders are asked for.",
      alsoFails: ["get-all-orders.limit-default", "pagination.row-count", "pagination.offset-beyond-end"],
      response: pagination(orders, (found, { address, onlyOpen }, { dataset }) => {
        const wallet = dataset.wallets.get(address);
        if (onlyOpen && wallet) found.totalCount = String(wallet.orders.length);
      }),
    },
    "all-orders-total-of-any-status-where-none-is-open": {
      summary: "GetAllOrders counts the orders of any status in totalCount when none of a wallet's orders is open.",
      alsoFails: ["get-all-orders.limit-cap", "get-all-orders.limit-default", "pagination.row-count"],
      response: pagination(orders, (found, { address, onlyOpen }, { dataset }) => {
        const wallet = dataset.wallets.get(address);
        if (onlyOpen && wallet && Number(found.totalCount ?? 0) === 0) found.totalCount = String(wallet.orders.length);
      }),
    },
    "all-orders-total-one-short-from-row-1000": {
      summary: "GetAllOrders counts one record too few in totalCount on pages from row 1000 on.",
      alsoFails: ["pagination.offset-beyond-end", "pagination.row-count"],
      response: pagination(orders, (found, { offset }) => {
        const total = Number(found.totalCount ?? 0);
        if (offset >= 1000 && total > offset) found.totalCount = String(total - 1);
      }),
    },
  }),

  ...breaking("pagination.total-count-decimal-string", {
    "all-orders-total-as-number-of-open-orders-after-an-offset": {
      summary: "GetAllOrders writes totalCount as a JSON number when onlyOpen comes with an offset.",
      response: pagination(orders, (found, { onlyOpen, offset }) => {
        if (onlyOpen && offset > 0) found.totalCount = Number(found.totalCount ?? 0);
      }),
    },
  }),

  ...breaking("order.identity", {
    "all-orders-row-doubled-on-large-pages": {
      summary:
        "GetAllOrders shows the 301st order of a page of more than 300 in the place of the one after it as well.",
      alsoFails: ["pagination.offset-skips-rows", "relations.wallet-orders-agree", "relations.open-orders-agree"],
      ...orderRows(orders, (rows, context) => {
        const { offset, limit } = pageOf(context);
        const doubled = rows[offset + 300];
        if (limit <= 301 || doubled === undefined || rows.length < offset + 302) return rows;
        return rows.with(offset + 301, doubled);
      }),
    },
  }),

  ...breaking("wire.timestamp-rfc3339", {
    "all-orders-times-of-old-orders-without-a-zone": {
      summary: "GetAllOrders writes the timestamps of a wallet's orders without a zone on pages from row 200 on.",
      response: editListedOrders((order, context) => {
        const { address, offset } = pageOf(context);
        if (address !== "" && offset >= 200) order.timestamp = String(order.timestamp).replace("Z", "");
      }, orders),
    },
  }),

  ...breaking("relations.order-stored-state", {
    // the wallet of an order
    "all-orders-fees-of-one-wallet-higher-among-others": {
      summary: "GetAllOrders shows higher fees for the wallet with the tenth most orders when all wallets are listed.",
      response: editListedOrders((order, { dataset, effective }) => {
        if (effective.address === "" && order.owner === walletsByOrders(dataset)[9]?.address)
          order.fees = numberIn(order, "fees") + 1;
      }, orders),
    },
    // stored fields
    "all-orders-threshold-of-one-markets-reduce-only-orders-in-ticks": {
      summary: "GetAllOrders shows the threshold price of the third market's reduce-only orders in ticks.",
      alsoFails: ["order.initial-margin-reduce-only"],
      response: editListedOrders((order, { dataset }) => {
        const market = marketAt(dataset, 2);
        if (market === undefined || order.reduceOnly !== true || order.marketId !== String(market.id)) return;
        order.thresholdPrice = Math.round(numberIn(order, "thresholdPrice") * 10 ** market.tickDecimals);
      }, orders),
    },
    "all-orders-open-merged-orders-of-a-wallet-as-filling": {
      summary:
        "GetAllOrders shows partially merged orders as partially filled when a wallet's open orders are asked for.",
      response: editListedOrders((order, context) => {
        const { address, onlyOpen } = pageOf(context);
        if (address === "" || !onlyOpen || order.status !== "ORDER_STATUS_PARTIALLY_MERGED") return;
        order.status = "ORDER_STATUS_PARTIALLY_FILLED";
      }, orders),
    },
  }),

  ...breaking("get-all-orders.all-wallets", {
    "all-orders-lack-the-oldest": {
      summary: "GetAllOrders neither lists nor counts the oldest order of all unless a wallet is named.",
      ...orderRows(orders, (rows, context) => {
        const { address, onlyOpen } = pageOf(context);
        return address !== "" || onlyOpen ? rows : rows.slice(0, -1);
      }),
    },
    "all-orders-lack-old-ones-of-one-market": {
      summary: "GetAllOrders does not list the eighth market's older orders unless a wallet is named.",
      ...orderRows(orders, (rows, context) => {
        const { address, onlyOpen } = pageOf(context);
        if (address !== "" || onlyOpen) return rows;
        const lost = marketAt(context.dataset, 7)?.id;
        return rows.filter(({ marketId }, index) => index < 500 || marketId !== lost);
      }),
    },
  }),
];

/** Position listings that are wrong for a combination of fields, on one page, or far down. */
const positionListing: readonly Mutant[] = [
  ...breaking("order-ref.names-an-order", {
    "all-positions-reference-far-down-dangling": {
      summary: "Positions 800 to 819 of GetAllPositions refer to an order that was never stored, and list no orders.",
      ...positionsAt(800, 820, (row) => {
        const orderId = String(BigInt(String(row.positionId)) + 400_000n);
        row.associatedOrderIds = [{ orderId, marketId: String(row.marketId), reduceOnly: true }];
        row.associatedOrders = [];
      }),
    },
  }),

  ...breaking("order.market-fallback-only-then", {
    "all-positions-orders-on-the-second-page-named-by-another-id": {
      summary: "The orders of positions 1100 to 1119 of GetAllPositions carry the fallback name of another market.",
      alsoFails: ["order.market-fallback", "relations.order-stored-state"],
      ...positionsAt(1_100, 1_120, (row) => {
        const associated = (Array.isArray(row.associatedOrders) ? row.associatedOrders : []) as MutableJsonObject[];
        for (const order of associated) order.market = "MARKET-77";
      }),
    },
  }),

  ...breaking("pagination.limit", {
    "all-positions-limit-of-whole-bytes-is-the-default": {
      summary: "GetAllPositions takes a limit of which 8 bits hold nothing, such as 256, for none.",
      alsoFails: ["pagination.total-count", "pagination.row-count"],
      request: loses(positions, "limit", (json) => {
        const limit = numberIn(json, "limit");
        return limit > 0 && limit <= 1000 && limit % 256 === 0;
      }),
    },
  }),

  ...breaking("pagination.total-count", {
    "all-positions-sum-of-limit-and-offset-overflows": {
      summary: "GetAllPositions returns no rows where limit and offset are more than 32 bits hold together.",
      alsoFails: ["errors.documented-outcome", "get-all-positions.limit-cap"],
      response: on(positions, (json, { request }) =>
        numberIn(request, "limit") + numberIn(request, "offset") >= 2 ** 31 ? { ...json, positions: [] } : json,
      ),
    },
    "all-positions-full-page-at-the-end-lacks-its-last-row": {
      summary: "GetAllPositions leaves out the last row of a page that is full exactly where the listing ends.",
      alsoFails: ["pagination.row-count"],
      response: on(positions, (json, context) => {
        const { limit, offset } = pageOf(context);
        const isLast = limit > 1 && offset + limit === context.dataset.positions.length;
        if (isLast && Array.isArray(json.positions)) json.positions = json.positions.slice(0, -1);
        return json;
      }),
    },
  }),

  ...breaking("errors.documented-outcome", {
    "all-positions-offset-of-the-total-fails": {
      summary: "GetAllPositions fails with internal when the offset is the number of all records.",
      alsoFails: ["pagination.offset-beyond-end"],
      ...positionRows(positions, (rows, context) => {
        if (rows.length > 0 && pageOf(context).offset === rows.length) throw new Error("index out of range");
        return rows;
      }),
    },
  }),

  ...breaking("get-all-positions.limit-zero", {
    "all-positions-limit-zero-unlimited-after-an-offset": {
      summary: "GetAllPositions takes an explicit limit of 0 for 1000 when there is an offset.",
      request: rewrites(
        positions,
        all(withOffset, (json) => json.limit === 0),
        (json) => ({ ...json, limit: 1000 }),
      ),
    },
  }),

  ...breaking("get-all-positions.limit-cap", {
    "all-positions-over-limit-is-the-default-after-an-offset": {
      summary: "GetAllPositions takes a limit above 1000 for the default one when there is an offset.",
      alsoFails: ["pagination.limit", "pagination.total-count"],
      request: loses(
        positions,
        "limit",
        all(withOffset, (json) => numberIn(json, "limit") > 1000),
      ),
    },
  }),

  ...breaking("get-all-positions.limit-default", {
    "all-positions-default-20-without-the-version-header-after-an-offset": {
      summary:
        "Without Connect-Protocol-Version GetAllPositions returns pages of 20 by default when there is an offset.",
      alsoFails: ["protocol.connect-version-optional"],
      request: rewrites(
        positions,
        all(withOffset, (json, context) => json.limit === undefined && lacksVersion(context)),
        (json) => ({ ...json, limit: 20 }),
      ),
    },
  }),

  ...breaking("protocol.timeout-generous", {
    "all-positions-offset-lost-with-a-timeout": {
      summary: "With Connect-Timeout-Ms GetAllPositions forgets the offset.",
      alsoFails: [
        "pagination.offset",
        "pagination.offset-skips-rows",
        "pagination.offset-beyond-end",
        "pagination.row-count",
        "pagination.total-count",
      ],
      request: loses(
        positions,
        "offset",
        all(withOffset, (_json, context) => hasTimeout(context)),
      ),
    },
  }),

  ...breaking("pagination.row-count", {
    "all-positions-no-row-at-the-last-offset": {
      summary: "GetAllPositions returns no rows where only the last one is left.",
      alsoFails: [
        "pagination.total-count",
        "get-all-positions.limit-cap",
        "get-all-positions.limit-default",
        "get-all-positions.limit-zero",
      ],
      response: on(positions, (json, context) => {
        const isLast = pageOf(context).offset === context.dataset.positions.length - 1;
        return isLast ? { ...json, positions: [] } : json;
      }),
    },
  }),

  ...breaking("pagination.offset-skips-rows", {
    "all-positions-later-full-pages-begin-a-row-early": {
      summary: "GetAllPositions skips one position less on the second and later full pages of 1000.",
      alsoFails: ["pagination.tie-order"],
      ...positionRows(positions, (rows, context) => shifted(rows, context, isFullPage, () => -1)),
    },
    "all-positions-single-rows-from-the-start": {
      summary: "GetAllPositions returns the first position at every offset when the limit is 1.",
      ...positionRows(positions, (rows, context) =>
        shifted(
          rows,
          context,
          ({ limit }) => limit === 1,
          ({ offset }) => -offset,
        ),
      ),
    },
    "all-positions-row-lost-within-one-instant": {
      summary:
        "GetAllPositions leaves out the page's first row when it has the timestamp of the row before it, from row 100 on.",
      alsoFails: ["pagination.tie-order"],
      ...positionRows(positions, (rows, context) =>
        shifted<PositionRecord>(
          rows,
          context,
          ({ offset, limit }, before, first) =>
            offset > 100 && offset + limit < rows.length && before?.timestamp === first?.timestamp,
          () => 1,
        ),
      ),
    },
  }),

  ...breaking("pagination.total-count", {
    "all-positions-total-in-hundreds-from-row-700": {
      summary: "GetAllPositions rounds totalCount up to hundreds on pages from row 700 on.",
      alsoFails: ["pagination.offset-beyond-end", "pagination.row-count"],
      response: pagination(positions, (found, { offset }) => {
        const total = Number(found.totalCount ?? 0);
        if (offset >= 700 && total > offset) found.totalCount = 100 * Math.floor(total / 100 + 1);
      }),
    },
  }),

  ...breaking("get-all-positions.sorted-by-timestamp", {
    "all-positions-oldest-tenth-ascending": {
      summary: "GetAllPositions lists the oldest tenth of the positions oldest first.",
      ...positionRows(positions, (rows) => {
        const at = Math.floor(rows.length * 0.9);
        return [...rows.slice(0, at), ...rows.slice(at).reverse()];
      }),
    },
  }),

  ...breaking("get-all-positions.all-wallets", {
    "all-positions-lack-one-of-the-heaviest-wallet": {
      summary: "GetAllPositions does not list the oldest open position of the wallet with most orders.",
      ...positionRows(positions, (rows, { dataset }) => {
        const heaviest = rows.findLast(({ owner, open }) => open && isHeaviest(dataset, owner));
        return heaviest ? rows.filter((row) => row !== heaviest) : rows;
      }),
    },
  }),

  ...breaking("position.effective-size", {
    "all-positions-size-of-old-shorts-in-one-market": {
      summary: "GetAllPositions halves effectiveSize of the sixth market's short positions on pages from row 500 on.",
      alsoFails: ["relations.position-stored-state"],
      response: editPositions((position, context) => {
        const isMeant =
          position.side === "SIDE_SHORT" && position.marketId === String(marketAt(context.dataset, 5)?.id);
        if (isMeant && pageOf(context).offset >= 500) position.effectiveSize = numberIn(position, "effectiveSize") / 2;
      }, positions),
    },
  }),

  ...breaking("position.associated-orders-market", {
    "all-positions-reference-of-another-market-on-small-pages": {
      summary: "GetAllPositions names another market in the order references of the last row of pages of up to ten.",
      alsoFails: ["position.associated-orders-agree", "position.opening-order", "order-ref.names-an-order"],
      response: on(positions, (json, context) => {
        const rows = Array.isArray(json.positions) ? json.positions : [];
        const last = rows.at(-1) as MutableJsonObject | undefined;
        const references = last?.associatedOrderIds;
        if (pageOf(context).limit > 10 || !Array.isArray(references)) return json;
        const other = [...context.dataset.markets.keys()].find((id) => String(id) !== last?.marketId);
        for (const reference of references) (reference as MutableJsonObject).marketId = String(other);
        return json;
      }),
    },
  }),
];

/** Edits the rows of GetAllPositions that stand at certain places of the listing, on whatever page they are shown. */
function positionsAt(from: number, to: number, edit: (row: MutableJsonObject) => void): Pick<Mutant, "response"> {
  const response: Mutant["response"] = on(positions, (json, context) => {
    const rows = (Array.isArray(json.positions) ? json.positions : []) as readonly MutableJsonObject[];
    const { offset } = pageOf(context);
    for (const row of rows.slice(Math.max(0, from - offset), Math.max(0, to - offset))) edit(row);
    return json;
  });
  return { response };
}

/** Listings that are wrong for a combination of request fields, for one wallet, on one page, or far down. */
export const listingInteractions: readonly Mutant[] = [...orderListing, ...positionListing];
