import type { JsonObjectInput } from "../connect/json.js";
import type { PagedEndpoint } from "../specification/endpoints.js";
import { pageLimitMax } from "../specification/limits.js";
import { mostOrdersFirst, walletWithFewOrders, walletWithMostOpenOrders, walletWithMostOrders } from "./select.js";
import type { Subjects } from "./subjects.js";

/** A listing to read in pages: one of the paged operations, with one of its filters (§4.1, §4.3). */
export interface FilteredListing {
  /** The request fields that select the records; empty for all of them. */
  readonly filter: JsonObjectInput;
  /** The number of records reported to discovery; it may have changed since. */
  readonly total: number;
}

/**
 * The listings of a paged operation with at least `atLeast` records, the unfiltered one first. For orders also: the open
 * ones, those of a wallet with many, with about a page and with few orders, and the open ones of a wallet.
 */
export function listingsOf(subjects: Subjects, endpoint: PagedEndpoint, atLeast = 1): readonly FilteredListing[] {
  const all =
    endpoint === "GetAllPositions" ? [{ filter: {}, total: subjects.totals.positions ?? 0 }] : orders(subjects);
  return all.filter(({ total }) => total >= atLeast);
}

/** The listing of all orders; undefined if there are none, or their number could not be read. */
export function listingOfAllOrders(subjects: Subjects): FilteredListing | undefined {
  return listingsOf(subjects, "GetAllOrders").find(({ filter }) => Object.keys(filter).length === 0);
}

function orders(subjects: Subjects): readonly FilteredListing[] {
  const { totals, wallets } = subjects;
  const [most, few] = [walletWithMostOrders(subjects), walletWithFewOrders(subjects)];
  const others = wallets.filter((wallet) => wallet !== most && wallet !== few);
  const [middle] = others.filter(({ orders = 0 }) => orders > 0 && orders <= pageLimitMax).sort(mostOrdersFirst);
  const open = walletWithMostOpenOrders(subjects);
  return [
    { filter: {}, total: totals.orders ?? 0 },
    { filter: { onlyOpen: true }, total: totals.openOrders ?? 0 },
    ...[most, middle, few].flatMap((wallet) =>
      wallet?.orders === undefined ? [] : [{ filter: { address: wallet.address }, total: wallet.orders }],
    ),
    ...(open ? [{ filter: { address: open.address, onlyOpen: true }, total: open.openOrders ?? 0 }] : []),
  ];
}
