/** Faults of lists of rows: pages, filters, order (§2 PaginationInfo, §4.1, §4.3, §4.4). */
import type { Json, JsonObject } from "../../connect/json.js";
import type { ParsedRequest } from "../../judge/parsed-request.js";
import type { RuleId } from "../../specification/catalogue/index.js";
import { type Endpoint, type PagedEndpoint, pagedEndpoints } from "../../specification/endpoints.js";
import { pageLimitMax } from "../../specification/limits.js";
import { withBody, withError } from "../alter.js";
import type { FaultTemplate, ScopeName } from "../fault.js";
import { listIn, numberIn, objectIn, withField } from "../fields.js";
import {
  keyOfRow,
  knownPage,
  type ListingFilter,
  type ObservedPlatform,
  rowsField,
  rowsOfPage,
  totalAs,
  totalOf,
} from "../platform.js";
import { type BodyFault, type FaultMetadata, faultsIn, faultsOf, inAnswer, inBody, refusedIf } from "./define.js";
import { isActiveOrder, statusSlug } from "./resources.js";

const combinedFields: readonly ScopeName[] = ["two fields", "two other fields"];
const laterAndCombined: readonly ScopeName[] = ["later pages", ...combinedFields];

const prefixOf = (listing: PagedEndpoint) => (listing === "GetAllPositions" ? "get-all-positions" : "get-all-orders");

/** Whether a request has a limit that is neither 0 nor capped. */
const hasPlainLimit = ({ limit = 0 }: ParsedRequest) => limit > 0 && limit <= pageLimitMax;

function withPagination(body: JsonObject, change: (pagination: JsonObject) => JsonObject): JsonObject {
  return body.pagination === undefined ? body : withField(body, "pagination", change(objectIn(body, "pagination")));
}

/** Sets the total, if there is a pagination. */
function withTotal(listing: PagedEndpoint, body: JsonObject, total: number): JsonObject {
  return withPagination(body, (pagination) => withField(pagination, "totalCount", totalAs(listing, total)));
}

/** Changes the rows of a list; the same body when nothing changed. */
function withRows(
  endpoint: Endpoint,
  body: JsonObject,
  change: (rows: readonly JsonObject[]) => readonly JsonObject[],
): JsonObject {
  return withField(body, rowsField(endpoint), change(rowsOfPage(endpoint, body)));
}

/** The page that a server with other rows would return; the given page when some of its rows are unknown. */
function paged(
  listing: PagedEndpoint,
  asked: ParsedRequest,
  body: JsonObject,
  rows: readonly (JsonObject | undefined)[],
): JsonObject {
  const page = knownPage(asked, rows);
  if (!page) return body;
  const before = rowsOfPage(listing, body);
  const isSame =
    page.length === before.length && page.every((row, index) => keyOfRow(row) === keyOfRow(before[index] ?? {}));
  const made = isSame ? body : withField(body, rowsField(listing), page);
  return totalOf(body) === rows.length ? made : withTotal(listing, made, rows.length);
}

type RequestFilter = (asked: ParsedRequest, platform: ObservedPlatform) => boolean;

/** Returns a function that makes faults of a listing without some of its rows, for all or some of its requests. */
function rowsMissingFrom(listing: PagedEndpoint) {
  return (
    name: string,
    rule: RuleId,
    words: string,
    isLost: (row: JsonObject, platform: ObservedPlatform) => boolean,
    { where = () => true, ...other }: Partial<Pick<FaultMetadata, "needs" | "scopes">> & { where?: RequestFilter } = {},
  ): FaultTemplate =>
    inBody(
      { name, rule, kind: "row missing", words: `${listing} ${words}`, operations: [listing], ...other },
      (body, asked, platform) => {
        if (!where(asked, platform)) return body;
        const all = platform.listing(listing, asked);
        const isKept = (row: JsonObject | undefined) => row === undefined || !isLost(row, platform);
        if (all.length > 0 && !all.includes(undefined)) return paged(listing, asked, body, all.filter(isKept));
        // The listing is not fully known, so filter the page after paging.
        return withRows(listing, body, (rows) => rows.filter(isKept));
      },
    );
}

const positionsWithout = rowsMissingFrom("GetAllPositions");
const ordersWithout = rowsMissingFrom("GetAllOrders");

/** A fault of GetAllOrders that ignores a filter, and so has the rows of another listing. */
function unfiltered(
  name: string,
  rule: RuleId,
  words: string,
  where: RequestFilter,
  filter: (asked: ParsedRequest) => ListingFilter,
  scopes: readonly ScopeName[] = [],
): FaultTemplate {
  const listing = "GetAllOrders";
  return inBody(
    { name, rule, kind: "filter forgotten", words: `${listing} ${words}`, operations: [listing], scopes },
    (body, asked, platform) =>
      where(asked, platform) ? paged(listing, asked, body, platform.listing(listing, filter(asked))) : body,
  );
}

const lightWallet = ({ subjects }: ObservedPlatform) =>
  subjects.wallets.filter(({ openPositions = 0 }) => openPositions > 0).at(-1)?.address;

/** The market of the oldest open position. */
function lastOpenMarket({ positions, open }: ObservedPlatform): Json | undefined {
  return positions.findLast((position) => open.has(keyOfRow(position)))?.marketId;
}

/** What a faulty server makes of the pagination of a page, and of its rows. */
type PaginationFault = (pagination: JsonObject, asked: ParsedRequest, body: JsonObject) => JsonObject;
type RowsFault = (
  rows: readonly JsonObject[],
  asked: ParsedRequest,
  platform: ObservedPlatform,
) => readonly JsonObject[];

function inPaginationOfBody(named: FaultMetadata, change: PaginationFault): FaultTemplate {
  return inBody(named, (body, asked) => withPagination(body, (pagination) => change(pagination, asked, body)));
}

function inRowsOf(listing: Endpoint) {
  return (named: FaultMetadata, change: RowsFault): FaultTemplate =>
    inBody(named, (body, asked, platform) => withRows(listing, body, (rows) => change(rows, asked, platform)));
}

const pageFaults: readonly FaultTemplate[] = pagedEndpoints.flatMap((listing) => {
  const prefix = prefixOf(listing);
  const starts = { words: `${listing}:` };
  const inPage = faultsOf(listing, inBody, starts);
  const refused = faultsOf(listing, inAnswer, starts);
  const inPagination = faultsOf(listing, inPaginationOfBody, starts);
  const inRows = faultsOf(listing, inRowsOf(listing), starts);
  const ofWallets: readonly ScopeName[] = listing === "GetAllOrders" ? ["one wallet"] : [];
  const everyScope = [...laterAndCombined, ...ofWallets];
  /** The page that starts some rows later, or earlier. */
  const shifted =
    (by: (asked: ParsedRequest) => number): BodyFault =>
    (body, asked, platform) => {
      const { offset = 0, limit } = asked;
      const rows = knownPage({ offset: Math.max(0, offset + by(asked)), limit }, platform.listing(listing, asked));
      return by(asked) === 0 || !rows || rowsOfPage(listing, body).length === 0
        ? body
        : withField(body, rowsField(listing), rows);
    };
  return [
    inPage(
      "page-without-pagination",
      "pagination.present",
      "field missing",
      "a page has no pagination",
      (body) => withField(body, "pagination", undefined),
      laterAndCombined,
    ),
    inPagination(
      "limit-echoes-rows",
      "pagination.limit",
      "wrong echo",
      "limit is the number of rows",
      (info, asked, body) => (hasPlainLimit(asked) ? withField(info, "limit", rowsOfPage(listing, body).length) : info),
      laterAndCombined,
    ),
    inPagination(
      "limit-one-off",
      "pagination.limit",
      "wrong echo",
      "limit is one more than asked for",
      (info, asked) => (hasPlainLimit(asked) ? withField(info, "limit", (asked.limit ?? 0) + 1) : info),
      ["later pages"],
    ),
    inPagination(
      "default-limit-100",
      `${prefix}.limit-default`,
      "wrong echo",
      "without a limit the page size is reported as 100",
      (info, { limit }) => (limit === undefined ? withField(info, "limit", 100) : info),
      ["later pages"],
    ),
    inPagination(
      "zero-limit-echoed",
      `${prefix}.limit-zero`,
      "wrong echo",
      "a limit of 0 is echoed",
      (info, { limit }) => (limit === 0 ? withField(info, "limit", undefined) : info),
      ["later pages", "two other fields"],
    ),
    inPage(
      "default-page-of-49",
      `${prefix}.limit-default`,
      "wrong count",
      "without a limit a page has 49 rows",
      (body, { limit }) => (limit === undefined ? cut(listing, body, 49) : body),
      ["later pages"],
    ),
    inPage(
      "zero-limit-page-of-one",
      `${prefix}.limit-zero`,
      "wrong count",
      "with a limit of 0 a page has one row",
      (body, { limit }) => (limit === 0 ? cut(listing, body, 1) : body),
      ["later pages"],
    ),
    inPage(
      "zero-limit-without-rows",
      `${prefix}.limit-zero`,
      "wrong count",
      "with a limit of 0 a page has no rows",
      (body, { limit }) => (limit === 0 ? withField(body, rowsField(listing), []) : body),
      ["two other fields"],
    ),
    inPagination(
      "cap-not-told",
      `${prefix}.limit-cap`,
      "wrong echo",
      "a limit above 1000 is echoed",
      (info, { limit = 0 }) => (limit > pageLimitMax ? withField(info, "limit", limit) : info),
      laterAndCombined,
    ),
    inPagination(
      "cap-of-500",
      `${prefix}.limit-cap`,
      "wrong echo",
      "a limit above 1000 is capped to 500",
      (info, { limit = 0 }) => (limit > pageLimitMax ? withField(info, "limit", 500) : info),
      ["later pages"],
    ),
    refused(
      "limit-above-cap-refused",
      `${prefix}.limit-cap`,
      "refused",
      "a limit above 1000 is refused",
      refusedIf("invalid_argument", ({ limit = 0 }) => limit > pageLimitMax),
      ["later pages"],
    ),
    refused(
      "limit-zero-refused",
      `${prefix}.limit-zero`,
      "refused",
      "a limit of 0 is refused",
      refusedIf("invalid_argument", ({ limit }) => limit === 0),
      ["later pages"],
    ),
    inPagination(
      "offset-one-without",
      `${prefix}.offset-default`,
      "wrong echo",
      "without an offset 1 is reported",
      (info, { offset = 0 }) => (offset === 0 ? withField(info, "offset", 1) : info),
    ),
    inPagination(
      "offset-not-told",
      "pagination.offset",
      "wrong echo",
      "offset is 0 whatever was asked for",
      (info, { offset = 0 }) => (offset > 0 ? withField(info, "offset", undefined) : info),
      combinedFields,
    ),
    inPagination(
      "offset-one-off",
      "pagination.offset",
      "wrong echo",
      "offset is one more than asked for",
      (info, { offset = 0 }) => (offset > 0 ? withField(info, "offset", offset + 1) : info),
      combinedFields,
    ),
    inPage(
      "first-row-skipped",
      `${prefix}.offset-default`,
      "row missing",
      "without an offset the listing starts at its second row",
      shifted(({ offset }) => (offset === undefined ? 1 : 0)),
    ),
    inPage(
      "offset-one-too-far",
      "pagination.offset-skips-rows",
      "row missing",
      "a page starts one row too late",
      shifted(({ offset = 0 }) => (offset > 0 ? 1 : 0)),
      combinedFields,
    ),
    inPage(
      "pages-overlap",
      "pagination.offset-skips-rows",
      "row doubled",
      "a page starts one row too early",
      shifted(({ offset = 0 }) => (offset > 0 ? -1 : 0)),
      combinedFields,
    ),
    inPage(
      "offset-in-pages",
      "pagination.offset-skips-rows",
      "wrong count",
      "an offset counts pages of the limit",
      shifted(({ offset = 0, limit = 0 }) => (offset > 0 && limit > 1 ? offset * (limit - 1) : 0)),
      combinedFields,
    ),
    inRows(
      "ties-reversed",
      "pagination.tie-order",
      "rows out of order",
      "rows with the same time are reversed on later pages",
      (all, { offset = 0 }) => (offset > 0 ? tiesReversed(all) : all),
    ),
    inRows(
      "last-row-missing",
      "pagination.row-count",
      "row missing",
      "a page lacks its last row",
      (all, asked) => (hasPlainLimit(asked) && all.length > 0 ? all.slice(0, -1) : all),
      everyScope,
    ),
    inRows(
      "limit-ignored",
      "pagination.row-count",
      "filter forgotten",
      "a page has one row more than its limit",
      (all, { limit = 0, offset = 0, ...asked }, platform) => {
        const next = platform.listing(listing, asked)[offset + limit];
        return limit > 0 && limit < pageLimitMax && all.length === limit && next ? [...all, next] : all;
      },
      laterAndCombined,
    ),
    inPage(
      "total-one-off",
      "pagination.total-count",
      "wrong count",
      "totalCount is one too many",
      (body) => withTotal(listing, body, totalOf(body) + 1),
      everyScope,
    ),
    inPage(
      "total-of-page",
      "pagination.total-count",
      "wrong count",
      "totalCount is the number of rows on the page",
      (body) => withTotal(listing, body, rowsOfPage(listing, body).length),
      ["later pages", ...ofWallets],
    ),
    inPage(
      "total-after-offset",
      "pagination.total-count",
      "wrong count",
      "totalCount leaves out what the offset skips",
      (body, { offset }) => (offset ? withTotal(listing, body, Math.max(0, totalOf(body) - offset)) : body),
      combinedFields,
    ),
    inPagination(
      "total-in-the-other-form",
      listing === "GetAllOrders" ? "pagination.total-count-decimal-string" : "pagination.total-count-integer",
      "wrong form",
      `totalCount is ${listing === "GetAllOrders" ? "a number" : "a text"}`,
      (info) => {
        const { totalCount } = info;
        if (totalCount === undefined) return info;
        return withField(info, "totalCount", typeof totalCount === "string" ? Number(totalCount) : String(totalCount));
      },
      everyScope,
    ),
    refused(
      "beyond-the-end-refused",
      "pagination.offset-beyond-end",
      "refused",
      "an offset beyond the end is refused",
      refusedIf("invalid_argument", isBeyond),
      combinedFields,
    ),
    inPage(
      "beyond-the-end-wraps",
      "pagination.offset-beyond-end",
      "foreign row",
      "an offset beyond the end starts at the first row",
      (body, asked, platform) => {
        const [first] = platform.listing(listing, asked);
        return isBeyond(asked, body) && first ? withField(body, rowsField(listing), [first]) : body;
      },
      combinedFields,
    ),
    inPagination(
      "beyond-the-end-echoes-zero",
      "pagination.offset-beyond-end",
      "wrong echo",
      "beyond the end offset is 0",
      (info, asked, body) => (isBeyond(asked, body) ? withField(info, "offset", undefined) : info),
    ),
    inRows(
      "oldest-first",
      `${prefix}.sorted-by-timestamp`,
      "rows out of order",
      "a page is sorted the oldest first",
      (all) => (all.length > 1 && all[0]?.timestamp !== all.at(-1)?.timestamp ? all.toReversed() : all),
      everyScope,
    ),
    inRows(
      "two-rows-swapped",
      `${prefix}.sorted-by-timestamp`,
      "rows out of order",
      "the first two rows of a page are swapped",
      swapped,
      everyScope,
    ),
    inRows(
      "last-rows-swapped",
      `${prefix}.sorted-by-timestamp`,
      "rows out of order",
      "the last two rows of a page are swapped",
      (all) => {
        const reversed = all.toReversed();
        const made = swapped(reversed);
        return made === reversed ? all : made.toReversed();
      },
      ["later pages"],
    ),
  ];
});

function cut(listing: PagedEndpoint, body: JsonObject, size: number): JsonObject {
  const rows = rowsOfPage(listing, body);
  return rows.length > size
    ? withPagination(withField(body, rowsField(listing), rows.slice(0, size)), (info) => withField(info, "limit", size))
    : body;
}

function isBeyond({ offset = 0 }: ParsedRequest, body: JsonObject): boolean {
  return offset > totalOf(body);
}

function swapped(rows: readonly JsonObject[]): readonly JsonObject[] {
  const [first, second, ...rest] = rows;
  return first && second && first.timestamp !== second.timestamp ? [second, first, ...rest] : rows;
}

function tiesReversed(rows: readonly JsonObject[]): readonly JsonObject[] {
  const made = [...rows];
  for (let from = 0; from < made.length; ) {
    let to = from + 1;
    while (to < made.length && made[to]?.timestamp === made[from]?.timestamp) to++;
    made.splice(from, to - from, ...made.slice(from, to).reverse());
    from = to;
  }
  return made;
}

const filterFaults: readonly FaultTemplate[] = [
  positionsWithout(
    "positions-of-a-wallet-missing",
    "get-all-positions.all-wallets",
    "lacks the positions of one wallet",
    ({ owner }, platform) => owner === lightWallet(platform),
  ),
  positionsWithout(
    "positions-of-a-market-missing",
    "get-all-positions.all-wallets",
    "lacks the positions of one market",
    ({ marketId }, platform) => marketId === lastOpenMarket(platform),
  ),
  positionsWithout(
    "open-positions-missing",
    "get-all-positions.all-wallets",
    "lists closed positions alone",
    (row, { open }) => open.has(keyOfRow(row)),
  ),
  positionsWithout(
    "closed-positions-missing",
    "get-all-positions.closed-included",
    "lists open positions alone",
    (row, { open }) => !open.has(keyOfRow(row)),
    { needs: "a closed position" },
  ),
  ordersWithout(
    "orders-of-a-wallet-missing",
    "get-all-orders.all-wallets",
    "without an address lacks the orders of one wallet",
    ({ owner }, platform) => owner === lightWallet(platform),
    { where: ({ wallet }) => wallet === undefined, scopes: ["later pages"] },
  ),
  ordersWithout(
    "orders-of-heaviest-wallet-alone",
    "get-all-orders.all-wallets",
    "without an address lists one wallet's orders alone",
    ({ owner }, { subjects }) => owner !== subjects.wallets[0]?.address,
    { where: ({ wallet }) => wallet === undefined },
  ),
  ...(["ORDER_STATUS_CANCELLED", "ORDER_STATUS_MERGED", "ORDER_STATUS_FULLY_FILLED"] as const).map((status) =>
    ordersWithout(
      `all-orders-without-${statusSlug(status)}`,
      "get-all-orders.any-status",
      `lists no orders that are ${status}`,
      (row) => row.status === status,
      { where: ({ onlyOpen }) => !onlyOpen, needs: `an order that is ${status}`, scopes: ["one wallet"] },
    ),
  ),
  ordersWithout(
    "all-orders-open-alone",
    "get-all-orders.any-status",
    "lists open orders alone though nobody asked for it",
    (row) => !isActiveOrder(row),
    { where: ({ onlyOpen }) => !onlyOpen, scopes: ["one wallet"] },
  ),
  ...(["ORDER_STATUS_PARTIALLY_FILLED", "ORDER_STATUS_PARTIALLY_MERGED"] as const).map((status) =>
    ordersWithout(
      `only-open-without-${statusSlug(status)}`,
      "get-all-orders.only-open",
      `with onlyOpen lacks orders that are ${status}`,
      (row) => row.status === status,
      { where: ({ onlyOpen }) => onlyOpen, needs: `an open order that is ${status}`, scopes: ["one wallet"] },
    ),
  ),
  unfiltered(
    "only-open-forgotten",
    "get-all-orders.only-open",
    "forgets onlyOpen",
    ({ onlyOpen }) => onlyOpen,
    ({ wallet }) => ({ wallet, onlyOpen: false }),
    ["one wallet", "later pages", "two fields", "two other fields"],
  ),
  unfiltered(
    "address-forgotten",
    "get-all-orders.address-filter",
    "forgets the address",
    ({ wallet }) => wallet !== undefined,
    ({ onlyOpen }) => ({ onlyOpen }),
    ["one wallet", "later pages", "two fields", "another way to write"],
  ),
  inBody(
    {
      name: "only-open-lets-one-through",
      rule: "get-all-orders.only-open",
      kind: "filter forgotten",
      words: "GetAllOrders with onlyOpen lists a closed order",
      operations: ["GetAllOrders"],
      scopes: ["later pages", "two fields", "one wallet"],
    },
    (body, { onlyOpen, wallet }, { orders }) => {
      const rows = listIn(body, "orders");
      if (!onlyOpen || rows.length === 0) return body;
      const over = orders.find(
        ({ owner, status }) => status === "ORDER_STATUS_CLOSED" && (wallet === undefined || owner === wallet),
      );
      return over ? withField(body, "orders", [...rows.slice(0, -1), over]) : body;
    },
  ),
  inBody(
    {
      name: "foreign-order-in-wallet",
      rule: "get-all-orders.address-filter",
      kind: "foreign row",
      words: "GetAllOrders with an address lists an order of another wallet",
      operations: ["GetAllOrders"],
      scopes: ["later pages", "two fields", "one wallet"],
    },
    withForeignOrder,
  ),
  unfiltered(
    "unknown-wallet-lists-all",
    "get-all-orders.unknown-wallet",
    "lists all orders for a wallet without any",
    isOfUnknownWallet,
    ({ onlyOpen }) => ({ onlyOpen }),
  ),
  ...(
    [
      ["GetAllOrders", "get-all-orders.unknown-wallet"],
      ["GetOrders", "get-orders.unknown-wallet"],
    ] as const
  ).map(([endpoint, rule]) =>
    faultsOf(endpoint, inAnswer)(
      "unknown-wallet-refused",
      rule,
      "refused",
      "answers not_found for a wallet without orders",
      refusedIf("not_found", (asked, _, platform) => isOfUnknownWallet(asked, platform)),
    ),
  ),
];

function isOfUnknownWallet({ wallet }: ParsedRequest, { subjects }: ObservedPlatform): boolean {
  return wallet !== undefined && !subjects.wallets.some(({ address }) => address === wallet);
}

function withForeignOrder(body: JsonObject, { wallet }: ParsedRequest, { orders }: ObservedPlatform): JsonObject {
  const rows = listIn(body, "orders");
  const foreign = orders.find(({ owner }) => owner !== wallet);
  return wallet !== undefined && rows.length > 0 && foreign
    ? withField(body, "orders", [...rows.slice(0, -1), foreign])
    : body;
}

/** Addresses that are compared as written, so that the wallet is taken for another one that has nothing. */
const addressFaults: readonly FaultTemplate[] = (
  [
    ["GetAllOrders", "get-all-orders.address-trimmed", "get-all-orders.address-case-insensitive"],
    ["GetOrders", "get-orders.address-trimmed", "get-orders.address-case-insensitive"],
    ["GetPortfolio", "get-portfolio.owner-trimmed", "get-portfolio.owner-case-insensitive"],
    [
      "GetOpenPositionsStreaming",
      "get-open-positions-streaming.address-trimmed",
      "get-open-positions-streaming.address-case-insensitive",
    ],
  ] as const
).flatMap(([endpoint, trimmed, recased]) =>
  (
    [
      ["blanks", trimmed, "an address with blanks around it", ({ padded }: ParsedRequest) => padded],
      ["case", recased, "an address in another case", ({ recased: is }: ParsedRequest) => is],
    ] as const
  ).flatMap(([what, rule, words, where]) => {
    const scopes: readonly ScopeName[] = ["one wallet", ...combinedFields];
    return [
      faultsOf(endpoint, inBody)(
        `${what}-finds-nothing`,
        rule,
        "wrong value",
        `finds nothing for ${words}`,
        (body, asked) => (where(asked) ? emptied(endpoint, body) : body),
        scopes,
      ),
      faultsOf(endpoint, inAnswer)(
        `${what}-refused`,
        rule,
        "refused",
        `refuses ${words}`,
        ({ exchange, asked, answer }) =>
          asked && where(asked) && (answer.kind === "success" || answer.kind === "stream")
            ? withError(exchange, "invalid_argument")
            : undefined,
        scopes,
      ),
    ];
  }),
);

function emptied(endpoint: Endpoint, body: JsonObject): JsonObject {
  if (endpoint === "GetPortfolio") {
    const portfolio = objectIn(body, "portfolio");
    const isEmpty = listIn(portfolio, "positions").length + listIn(portfolio, "orders").length === 0;
    return isEmpty ? body : { portfolio: { owner: portfolio.owner, timestamp: portfolio.timestamp } };
  }
  if (rowsOfPage(endpoint, body).length === 0) return body;
  const empty = withField(body, rowsField(endpoint), []);
  return endpoint === "GetAllOrders" ? withTotal(endpoint, empty, 0) : empty;
}

const inOrdersBody = faultsOf("GetOrders", inBody);
const inOrdersAnswer = faultsOf("GetOrders", inAnswer);
const inOrders = faultsOf("GetOrders", inRowsOf("GetOrders"));

const everyWay: readonly ScopeName[] = [
  "one wallet",
  "one market",
  "another way to write",
  "two fields",
  "two other fields",
];

const getOrdersFaults: readonly FaultTemplate[] = [
  inOrdersBody(
    "foreign-order",
    "get-orders.owner",
    "foreign row",
    "lists an order of another wallet",
    withForeignOrder,
    everyWay,
  ),
  inOrdersBody(
    "market-forgotten",
    "get-orders.market-filter",
    "filter forgotten",
    "forgets the market",
    (body, { marketId, wallet: address }, { answerTo }) => {
      const all = marketId !== undefined && address !== undefined ? answerTo("GetOrders", { address }) : undefined;
      return all && listIn(all, "orders").length > listIn(body, "orders").length ? all : body;
    },
    everyWay,
  ),
  inOrders(
    "market-drops-one",
    "get-orders.market-filter",
    "row missing",
    "with a market lacks the oldest order",
    (rows, { marketId }) => (marketId !== undefined && rows.length > 0 ? rows.slice(0, -1) : rows),
    everyWay,
  ),
  inOrders(
    "one-market-alone",
    "get-orders.all-markets",
    "row missing",
    "without a market lists the orders of one market alone",
    (rows, { marketId }) => (marketId === undefined ? rows.filter((row) => row.marketId === rows[0]?.marketId) : rows),
    ["one wallet", "another way to write"],
  ),
  inOrders(
    "oldest-first",
    "get-orders.sorted-by-timestamp",
    "rows out of order",
    "lists the oldest order first",
    (rows) => (rows.length > 1 && rows[0]?.timestamp !== rows.at(-1)?.timestamp ? rows.toReversed() : rows),
    everyWay,
  ),
  inOrders(
    "two-rows-swapped",
    "get-orders.sorted-by-timestamp",
    "rows out of order",
    "swaps its first two rows",
    swapped,
    everyWay,
  ),
  ...[50, 1000].map((most) => ({
    ...inOrders(
      `cut-at-${most}`,
      "get-orders.no-result-limit",
      "row missing",
      `lists ${most} orders at most`,
      (rows) => (rows.length > most ? rows.slice(0, most) : rows),
      ["one wallet", "one market"],
    ),
    needs: `a wallet with more than ${most} orders`,
  })),
  inOrders(
    "without-terminal",
    "relations.wallet-orders-agree",
    "row missing",
    "lists open orders alone",
    (rows) => rows.filter(isActiveOrder),
    everyWay,
  ),
  inOrders(
    "without-reduce-only",
    "relations.wallet-orders-agree",
    "row missing",
    "lists no reduce-only orders",
    (rows) => rows.filter(({ reduceOnly }) => reduceOnly !== true),
    everyWay,
  ),
  ...(["ORDER_STATUS_MERGED", "ORDER_STATUS_PARTIALLY_CANCELLED"] as const).map((status) =>
    inOrders(
      `without-${statusSlug(status)}`,
      "relations.wallet-orders-agree",
      "row missing",
      `lists no orders that are ${status}`,
      (rows) => rows.filter((row) => row.status !== status),
      ["one wallet"],
    ),
  ),
  inOrders(
    "first-row-missing",
    "relations.wallet-orders-agree",
    "row missing",
    "lacks the newest order",
    (rows) => (rows.length > 0 ? rows.slice(1) : rows),
    everyWay,
  ),
  inOrdersAnswer(
    "market-without-orders-refused",
    "get-orders.market-without-orders",
    "refused",
    "answers not_found for a market in which the wallet has no orders",
    refusedIf(
      "not_found",
      (asked, body, platform) =>
        asked.marketId !== undefined &&
        asked.wallet !== undefined &&
        !isOfUnknownWallet(asked, platform) &&
        listIn(body, "orders").length === 0,
    ),
    ["another way to write"],
  ),
  inOrdersAnswer(
    "market-without-orders-lists-all",
    "get-orders.market-without-orders",
    "filter forgotten",
    "lists all orders for a market in which the wallet has none",
    ({ exchange, asked, answer }, { answerTo }) => {
      if (
        answer.kind !== "success" ||
        asked?.marketId === undefined ||
        asked.wallet === undefined ||
        listIn(answer.body, "orders").length > 0
      )
        return undefined;
      const all = answerTo("GetOrders", { address: asked.wallet });
      return all && listIn(all, "orders").length > 0 ? withBody(exchange, all) : undefined;
    },
  ),
  inOrdersAnswer(
    "unknown-wallet-lists-another",
    "get-orders.unknown-wallet",
    "foreign row",
    "lists another wallet's orders for a wallet without any",
    ({ exchange, asked, answer }, platform) => {
      const { address } = platform.subjects.wallets[0] ?? {};
      const other = address === undefined ? undefined : platform.answerTo("GetOrders", { address });
      return answer.kind === "success" && asked && isOfUnknownWallet(asked, platform) && other
        ? withBody(exchange, other)
        : undefined;
    },
  ),
];

const inOrder = faultsIn("order", ["one wallet"]);
const inPosition = faultsIn("position", ["one wallet"]);

/** Rows missing from one listing that another operation shows. */
const agreementFaults: readonly FaultTemplate[] = [
  inOrder(
    "open-listing-without-reduce-only",
    "relations.open-orders-agree",
    "row missing",
    "a portfolio lists no reduce-only orders",
    (row) => (row.reduceOnly === true && isActiveOrder(row) ? undefined : row),
    { operations: ["GetPortfolio"] },
  ),
  inPosition(
    "portfolio-without-short-positions",
    "relations.open-positions-agree",
    "row missing",
    "a portfolio lists no short positions",
    (row) => (row.side === "SIDE_SHORT" ? undefined : row),
    { operations: ["GetPortfolio"] },
  ),
  inPosition(
    "stream-without-short-positions",
    "relations.open-positions-agree",
    "row missing",
    "the stream lists no short positions",
    (row) => (row.side === "SIDE_SHORT" ? undefined : row),
    { operations: ["GetOpenPositionsStreaming"] },
  ),
  inPosition(
    "position-with-pnl-hidden",
    "relations.open-positions-agree",
    "row missing",
    "a portfolio hides positions that lose",
    (row) => (numberIn(row, "unrealizedPnl") < 0 ? undefined : row),
    { operations: ["GetPortfolio"], scopes: ["one market"] },
  ),
];

/** Faults of listings and of answers about wallets. */
export const listingFaults: readonly FaultTemplate[] = [
  ...pageFaults,
  ...filterFaults,
  ...addressFaults,
  ...getOrdersFaults,
  ...agreementFaults,
];
