/** Pages of one wallet's orders, compared with its whole list, which GetOrders gives in one answer (§4.3, §4.4, P3). */
import fc from "fast-check";
import type { JsonObject } from "../../src/connect/json.js";
import type { Answer } from "../../src/engine/answer.js";
import type { CheckContext } from "../../src/engine/context.js";
import { sampleSize } from "../../src/engine/sample-size.js";
import { type Judgement, nothingSeen } from "../../src/judge/judgement.js";
import { isActive } from "../../src/judge/order-lists.js";
import { newestFirst } from "../../src/judge/ordering.js";
import { holdsRowsAt } from "../../src/judge/overlapping-pages.js";
import { orderPage, orderRow, type PagedRow } from "../../src/judge/page.js";
import { type OrderView, ordersOf } from "../../src/judge/read.js";
import { ordersState } from "../../src/judge/stored-state.js";
import { pageLimitMax } from "../../src/specification/limits.js";
import { memoize } from "../../src/specification/memoize.js";
import { mostOrdersFirst, orderCountOf, walletWithMostOpenOrders } from "../../src/subjects/select.js";
import { tooManyOrders } from "./resources.js";
import { verifyPassing } from "./verify-passing.js";
import { judgePageBeside } from "./whole-listing.js";

/** How many pages are read of the wallet with the most orders, and how many of the open ones of the wallet with most of these. */
const pagesOfAll = 12;
const pagesOfOpen = 3;

/** Page sizes, in turn. Not 1: a single row does not show that a page is out of order, which breaks another rule. */
const sizes = [7, 50, 20] as const;

/** Offsets below this one are tried in other checks. */
const firstOffset = 8;

/** How many pages are read again at most, and how many with changing data until it gives up. */
const readAgain = 3;
const maxUnstablePages = 2;

/** A place in the listing of a wallet's orders. */
interface Place {
  readonly address: string;
  readonly onlyOpen: boolean;
  readonly offset: number;
  readonly limit: number;
}

/**
 * Asserts that pages of a wallet's orders, at offsets all over the listing, hold the rows that stand there in the wallet's
 * whole list (§2 PaginationInfo). Pages that differ are read again beside it (P3).
 */
export async function pagesMatchWalletOrders(context: CheckContext): Promise<void> {
  const { ask, bodyOf, shared } = context;
  const pages = await walletPages(context);
  const differing = await verifyPassing(context, pages, readAgain, async ({ place, answer }) => {
    if (answer.outcome.kind !== "success") return undefined;
    const whole = bodyOf(await shared("GetOrders", { address: place.address }));
    return [isPartOf(whole, answer.outcome.body, place), answer];
  });
  let unstable = 0;
  for (const { place, answer } of differing) {
    const page = { offset: place.offset, answer };
    const outcome = await judgePageBeside(context, page, {
      read: () => ask("GetOrders", { address: place.address }),
      stable: ordersState,
      judge: (whole, again) => isPartOf(whole, again, place),
    });
    if (outcome === undefined && ++unstable === maxUnstablePages) return;
  }
}

/** Pages of a wallet's orders and of a wallet's open orders. */
function walletPages(context: CheckContext): Promise<readonly { readonly place: Place; readonly answer: Answer }[]> {
  const { required, runSeed, sharedRead, subjects } = context;
  const [most] = subjects.wallets
    .filter(({ orders = 0 }) => orders > firstOffset && orders <= tooManyOrders)
    .sort(mostOrdersFirst);
  const { address, orders = 0 } = required(most, "walletWithOrders");
  const open = walletWithMostOpenOrders(subjects);
  const places = [
    ...placesIn({ address, onlyOpen: false }, orders, sampleSize(pagesOfAll, context), runSeed),
    ...(open && orderCountOf(open) <= tooManyOrders
      ? placesIn({ address: open.address, onlyOpen: true }, open.openOrders ?? 0, pagesOfOpen, runSeed)
      : []),
  ];
  return sharedRead("pages of wallets' orders", ({ ask }) =>
    Promise.all(
      places.map(async (place) => {
        const { onlyOpen, ...page } = place;
        return { place, answer: await ask("GetAllOrders", { ...page, ...(onlyOpen && { onlyOpen }) }) };
      }),
    ),
  );
}

/**
 * Places all over a listing, drawn by the seed: one in each of several parts of equal length, and one in each of several parts
 * of the first of these, of which each is longer than the one before by the same factor. Of a long listing also a later full
 * page.
 */
function placesIn(
  filter: Pick<Place, "address" | "onlyOpen">,
  total: number,
  count: number,
  seed: number,
): readonly Place[] {
  if (total <= firstOffset * 2) return [];
  const equal = Math.ceil(count / 2);
  const growing = count - equal;
  const length = Math.max(firstOffset, total / equal);
  const ends = [
    ...Array.from({ length: growing }, (_, part) => firstOffset * (length / firstOffset) ** (part / growing)),
    ...Array.from({ length: equal }, (_, part) => length * part),
  ];
  const parts = ends.map((from, part) => {
    const to = part < growing ? from * (length / firstOffset) ** (1 / growing) : from + length;
    const last = Math.min(total - 1, Math.ceil(to) - 1);
    return fc.integer({ min: Math.min(last, Math.max(1, Math.floor(from))), max: last });
  });
  const [offsets = []] = fc.sample(fc.tuple(...parts), { numRuns: 1, seed });
  const fullPages = Math.ceil(total / pageLimitMax) - 1;
  return [
    ...offsets.map((offset, index) => ({ ...filter, limit: sizes[(index + seed) % sizes.length] ?? 7, offset })),
    ...(fullPages < 1 ? [] : [{ ...filter, limit: pageLimitMax, offset: (1 + (seed % fullPages)) * pageLimitMax }]),
  ];
}

/**
 * A page holds the rows of the wallet's whole list from its offset on. Where the two count orders differently or are out of
 * order, other rules are broken.
 */
function isPartOf(whole: JsonObject, page: JsonObject, { onlyOpen, offset }: Place): Judgement {
  const rows = (onlyOpen ? openRowsOf : rowsOf)(whole);
  const shown = orderPage(page);
  if (!rows || !isNewestFirst(shown.rows) || shown.pagination?.totalCount !== rows.length) {
    return nothingSeen("a wallet of which GetOrders and GetAllOrders list equally many orders, newest first");
  }
  return holdsRowsAt({ ...shown, rows }, shown, offset);
}

/** The rows of a wallet's whole list; undefined unless each is there once, newest first. Read once per body. */
const rowsOf = memoize((whole: JsonObject) => soundRows(ordersOf(whole)));

/** Like {@link rowsOf}, for the open orders of the list. */
const openRowsOf = memoize((whole: JsonObject) => soundRows(ordersOf(whole).filter(isActive)));

function soundRows(orders: readonly OrderView[]): readonly PagedRow[] | undefined {
  const rows = orders.map(orderRow);
  return isNewestFirst(rows) && new Set(rows.map(({ key }) => key)).size === rows.length ? rows : undefined;
}

function isNewestFirst(rows: readonly PagedRow[]): boolean {
  return newestFirst("orders", rows).violations.length === 0;
}
