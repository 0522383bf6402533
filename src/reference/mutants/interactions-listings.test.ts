import { walletByOpenPositions } from "../conditional-interceptors.js";
import { isActiveStatus } from "../messages.js";
import {
  capitals,
  data,
  type InteractionExample,
  neighbour,
  type RequestSpec,
  testInteractions,
  timeout,
  version,
  walletAt,
  withWhitespace,
} from "./interactions.fixture.js";
import { listingInteractions } from "./interactions-listings.js";

const heaviest = walletAt(0);
const { address } = heaviest;
const other = walletAt(1);
const holder = walletByOpenPositions(data, 1);
const openOrders = data.orders.filter(({ status }) => isActiveStatus(status)).length;

/** How many open orders a wallet has. */
function openOrdersOf(owner: string | undefined): number {
  return data.orders.filter((order) => order.owner === owner && isActiveStatus(order.status)).length;
}

const closed = data.orders.find(({ owner }) => openOrdersOf(owner) === 0)?.owner;

/** The first index from `from` on at which a row has the timestamp of the row before it. */
function tieFrom(from: number, instants: readonly bigint[]): number {
  return instants.findIndex((instant, index) => index >= from && instant === instants[index - 1]);
}

const positionTie = tieFrom(
  101,
  data.positions.map(({ timestamp }) => timestamp),
);

function orders(shows: object, hides: object): InteractionExample {
  return { endpoint: "GetAllOrders", shows: { body: shows }, hides: { body: hides } };
}

function positions(shows: object, hides: object): InteractionExample {
  return { endpoint: "GetAllPositions", shows: { body: shows }, hides: { body: hides } };
}

function asked(endpoint: InteractionExample["endpoint"], shows: RequestSpec, hides: RequestSpec): InteractionExample {
  return { endpoint, shows, hides };
}

testInteractions(listingInteractions, {
  "all-orders-limit-lost-with-only-open": orders({ limit: 10, onlyOpen: true }, { limit: 10 }),
  "all-orders-default-25-of-a-wallet-after-an-offset": orders({ address, offset: 5 }, { address }),
  "all-orders-limit-lost-behind-another-field": orders({ offset: 5, limit: 10 }, { limit: 10, offset: 5 }),
  "all-orders-500-rows-for-a-limit-below-the-cap": orders({ limit: 700 }, { limit: 1000 }),
  "all-orders-late-pages-of-open-orders-end-with-a-terminal-one": orders(
    { onlyOpen: true, offset: 100, limit: 50 },
    { onlyOpen: true, offset: 50, limit: 50 },
  ),
  "all-orders-lacks-an-open-order-of-one-wallet": orders(
    { address: holder, onlyOpen: true, limit: 1000 },
    { address: holder, limit: 1000 },
  ),
  "all-orders-limit-zero-unlimited-of-a-wallet": orders({ address, limit: 0 }, { address }),
  "all-orders-lack-old-ones-of-one-market": orders({ limit: 1000, offset: 1500 }, { address, limit: 400 }),
  "all-orders-lack-the-oldest": orders({ limit: 50, offset: 2_690 }, { address, limit: 400 }),
  "all-orders-limit-of-16-bits": orders({ limit: 65_541 }, { limit: 65_535 }),
  "all-orders-of-a-wallet-none-in-total-beyond-the-end": orders({ address, offset: 10_000 }, { address, offset: 1 }),
  "all-orders-open-ones-capped-at-500": orders({ limit: 1001, onlyOpen: true }, { limit: 1000, onlyOpen: true }),
  "all-orders-over-limit-of-a-wallet-is-the-default-after-an-offset": orders(
    { address, limit: 1001, offset: 5 },
    { address, limit: 1001 },
  ),
  "all-orders-full-pages-soon-after-an-offset-hold-999": orders(
    { limit: 1000, offset: 500 },
    { limit: 1000, offset: 1000 },
  ),
  "all-orders-full-pages-of-a-wallet-hold-999": orders({ address, limit: 1000 }, { address, limit: 999 }),
  "all-orders-pages-of-a-wallet-hold-100-at-most": orders({ address, limit: 101 }, { address, limit: 100 }),

  "all-orders-offset-only-echoed-of-open-orders": orders({ offset: 60, onlyOpen: true }, { offset: 60 }),
  "all-orders-offset-only-echoed-of-a-padded-address": orders(
    { address: withWhitespace(address), offset: 60 },
    { address, offset: 60 },
  ),
  "all-orders-offset-in-whole-pages-of-a-wallet": orders(
    { address, offset: 15, limit: 10 },
    { address, offset: 20, limit: 10 },
  ),
  "all-orders-fees-of-one-wallet-higher-among-others": orders({ limit: 1000 }, { address: walletAt(9).address }),
  "all-orders-skip-one-less-of-a-wallet-from-100-to-200": orders({ address, offset: 150 }, { address, offset: 201 }),
  "all-orders-later-full-pages-begin-a-row-early": orders({ limit: 1000, offset: 1000 }, { limit: 999, offset: 1000 }),
  "all-orders-no-row-at-the-last-offset-of-a-wallets-open-ones": orders(
    { address: holder, onlyOpen: true, offset: openOrdersOf(holder) - 1 },
    { address: holder, onlyOpen: true, offset: openOrdersOf(holder) - 2 },
  ),
  "all-orders-skip-one-more-in-the-middle": orders({ offset: 1700, limit: 10 }, { offset: 1500, limit: 10 }),
  "all-orders-offset-beyond-the-end-of-a-wallet-shows-its-last-order": orders(
    { address, offset: 10_000 },
    { address, offset: heaviest.orders.length - 1 },
  ),
  "all-orders-offset-beyond-the-end-of-open-orders-refused": orders(
    { offset: openOrders + 1, onlyOpen: true },
    { offset: openOrders, onlyOpen: true },
  ),
  "all-orders-of-the-heaviest-wallet-lose-a-row-between-pages": orders(
    { address, offset: 50 },
    { address: other.address, offset: 50 },
  ),

  "all-orders-only-open-lost-after-an-offset": orders({ onlyOpen: true, offset: 5 }, { onlyOpen: true }),
  "all-orders-open-ones-of-a-wallet-by-market": orders({ address: other.address, onlyOpen: true }, { address }),

  "all-orders-mixed-case-address-foreign-from-row-10": orders(
    { address: capitals(heaviest), limit: 11 },
    { address: capitals(heaviest), limit: 10 },
  ),
  "all-orders-oldest-one-of-a-wallet": orders({ address, limit: 1 }, { address, limit: 2 }),
  "all-orders-padded-address-every-other-row": orders(
    { address: withWhitespace(address) },
    { address: capitals(heaviest) },
  ),
  "all-orders-padded-address-with-capitals-unknown": orders(
    { address: withWhitespace(capitals(heaviest)) },
    { address: withWhitespace(address) },
  ),
  "all-orders-padded-address-unknown-with-only-open": orders(
    { address: withWhitespace(address), onlyOpen: true },
    { address: withWhitespace(address) },
  ),
  "all-orders-neighbouring-address-is-the-known-one": orders(
    { address: neighbour(heaviest) },
    { address: `0x${"7".repeat(40)}` },
  ),
  "all-orders-foreign-order-amid-the-heaviest-wallet": orders(
    { address, limit: 1000 },
    { address: other.address, limit: 1000 },
  ),

  "all-orders-total-of-any-status-of-a-wallets-open-orders": orders({ address, onlyOpen: true }, { onlyOpen: true }),
  "all-orders-total-of-any-status-where-none-is-open": orders(
    { address: closed, onlyOpen: true },
    { address, onlyOpen: true },
  ),
  "all-orders-total-one-short-from-row-1000": orders({ offset: 1000 }, { offset: 999 }),
  "all-orders-total-as-number-of-open-orders-after-an-offset": orders(
    { onlyOpen: true, offset: 5 },
    { onlyOpen: true },
  ),
  "all-orders-out-of-order-far-down": orders({ offset: 1600 }, { offset: 1500 }),
  "all-orders-row-doubled-on-large-pages": orders({ limit: 302 }, { limit: 301 }),
  "all-orders-times-of-old-orders-without-a-zone": orders({ address, offset: 200 }, { address, offset: 150 }),

  "all-orders-threshold-of-one-markets-reduce-only-orders-in-ticks": orders(
    { address, limit: 200 },
    { address, limit: 1 },
  ),
  "all-orders-open-merged-orders-of-a-wallet-as-filling": orders(
    { address: other.address, onlyOpen: true, limit: 100 },
    { onlyOpen: true, limit: 1000 },
  ),

  "all-positions-limit-of-whole-bytes-is-the-default": positions({ limit: 256 }, { limit: 255 }),
  "all-positions-sum-of-limit-and-offset-overflows": positions(
    { limit: 2 ** 31 - 1, offset: 1 },
    { limit: 2 ** 31 - 2, offset: 1 },
  ),
  "all-positions-full-page-at-the-end-lacks-its-last-row": positions(
    { limit: 7, offset: data.positions.length - 7 },
    { limit: 7, offset: data.positions.length - 8 },
  ),
  "all-positions-offset-of-the-total-fails": positions(
    { offset: data.positions.length },
    { offset: data.positions.length + 1 },
  ),
  "all-positions-no-row-at-the-last-offset": positions(
    { offset: data.positions.length - 1 },
    { offset: data.positions.length - 2 },
  ),
  "all-positions-later-full-pages-begin-a-row-early": positions(
    { limit: 1000, offset: 1000 },
    { limit: 1000, offset: 999 },
  ),
  "all-positions-limit-zero-unlimited-after-an-offset": positions({ limit: 0, offset: 5 }, { limit: 0 }),
  "all-positions-over-limit-is-the-default-after-an-offset": positions({ limit: 1001, offset: 5 }, { limit: 1001 }),
  "all-positions-default-20-without-the-version-header-after-an-offset": asked(
    "GetAllPositions",
    { body: { offset: 5 } },
    { body: { offset: 5 }, headers: version },
  ),
  "all-positions-offset-lost-with-a-timeout": asked(
    "GetAllPositions",
    { body: { offset: 5 }, headers: timeout },
    { body: { offset: 5 } },
  ),
  "all-positions-single-rows-from-the-start": positions({ limit: 1, offset: 5 }, { limit: 2, offset: 5 }),
  "all-positions-row-lost-within-one-instant": positions({ offset: positionTie }, { offset: positionTie - 1 }),
  "all-positions-total-in-hundreds-from-row-700": positions({ offset: 700 }, { offset: 699 }),
  "all-positions-oldest-tenth-ascending": positions({ offset: 1300 }, { offset: 1100 }),
  "all-positions-lack-one-of-the-heaviest-wallet": asked(
    "GetAllPositions",
    { body: { limit: 1000, offset: 1000 } },
    { endpoint: "GetPortfolio", body: { owner: address } },
  ),
  "all-positions-size-of-old-shorts-in-one-market": positions({ limit: 100, offset: 500 }, { limit: 100, offset: 400 }),
  "all-positions-orders-on-the-second-page-named-by-another-id": positions(
    { limit: 50, offset: 1_080 },
    { limit: 50, offset: 1_040 },
  ),
  "all-positions-reference-far-down-dangling": positions({ limit: 50, offset: 780 }, { limit: 50, offset: 740 }),
  "all-positions-reference-of-another-market-on-small-pages": positions({ limit: 5 }, { limit: 11 }),
});
