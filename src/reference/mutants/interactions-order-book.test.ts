import { marketAt } from "../conditional-interceptors.js";
import type { Market } from "../dataset/model.js";
import {
  btc,
  bySymbols,
  data,
  doge,
  eth,
  eur,
  type InteractionExample,
  nikkei,
  type RequestSpec,
  selectorById,
  sol,
  testInteractions,
  timeout,
  version,
} from "./interactions.fixture.js";
import { orderBookInteractions } from "./interactions-order-book.js";

const id = selectorById(eth);
const fourth = marketAt(data, 3) as Market;
const sixth = marketAt(data, 5) as Market;
const eighth = marketAt(data, 7) as Market;
const symbols = bySymbols(eth);

function example(shows: object, hides: object): InteractionExample {
  return { endpoint: "GetOrderBook", shows: { body: shows }, hides: { body: hides } };
}

function asked(shows: RequestSpec, hides: RequestSpec): InteractionExample {
  return { endpoint: "GetOrderBook", shows, hides };
}

testInteractions(orderBookInteractions, {
  "order-book-offset-lost-beside-levels": example({ market: id, offset: 10, levels: 3 }, { market: id, offset: 10 }),
  "order-book-offset-only-echoed-beside-a-tick": example(
    { market: id, offset: 60, tickSize: 0.1, limit: 1000 },
    { market: id, offset: 60, limit: 1000 },
  ),
  "order-book-offset-only-echoed-beside-levels-in-usd": example(
    { market: id, offset: 10, levels: 3, sizeInUsd: true },
    { market: id, offset: 10, levels: 3 },
  ),
  "order-book-offset-beyond-the-end-shows-the-last-orders-by-symbols": example(
    { market: symbols, offset: 10_000 },
    { market: id, offset: 10_000 },
  ),
  "order-book-total-lacks-the-skipped-in-usd": example(
    { market: id, offset: 10, sizeInUsd: true },
    { market: id, sizeInUsd: true },
  ),
  "order-book-requested-total-believed-beside-an-offset": example(
    { market: id, offset: 10, totalOrderCount: 7 },
    { market: id, totalOrderCount: 7 },
  ),
  "order-book-requested-total-is-the-limit-by-symbols": example(
    { market: symbols, totalOrderCount: 7 },
    { market: id, totalOrderCount: 7 },
  ),
  "order-book-buckets-lost-in-usd": example(
    { market: id, tickSize: 0.1, sizeInUsd: true },
    { market: id, tickSize: 0.1 },
  ),
  "order-book-wider-buckets-of-asks-in-usd": example(
    { market: id, tickSize: 0.1, sizeInUsd: true },
    { market: id, sizeInUsd: true },
  ),
  "order-book-in-usd-unless-asked-otherwise": example(
    { market: id, tickSize: 0.1 },
    { market: id, tickSize: 0.1, sizeInUsd: false },
  ),
  "order-book-tick-refused-by-symbols": example({ market: symbols, tickSize: 0.1 }, { market: id, tickSize: 0.1 }),
  "order-book-sizes-of-one-market-doubled-by-symbols": example(
    { market: bySymbols(eighth) },
    { market: selectorById(eighth) },
  ),
  "order-book-of-one-market-not-found-by-symbols": example(
    { market: bySymbols(fourth) },
    { market: selectorById(fourth) },
  ),
  "order-book-of-another-market-by-symbols-with-a-tick": example(
    { market: symbols, tickSize: 0.1 },
    { market: id, tickSize: 0.1 },
  ),
  "order-book-tick-lost-by-symbols": example({ market: symbols, tickSize: 0.1 }, { market: id, tickSize: 0.1 }),
  "order-book-exponent-refused-by-symbols": asked(
    { body: `{"market":${JSON.stringify(symbols)},"tickSize":1e-1}` },
    { body: `{"market":${JSON.stringify(symbols)},"tickSize":0.1}` },
  ),
  "order-book-superfluous-zero-refused": asked(
    { body: `{"market":${JSON.stringify(id)},"tickSize":0.10}` },
    { body: `{"market":${JSON.stringify(id)},"tickSize":0.1}` },
  ),
  "order-book-tiny-tick-is-none-in-usd": example(
    { market: id, tickSize: 0.003, sizeInUsd: true },
    { market: id, tickSize: 0.003 },
  ),
  "order-book-tiny-tick-refused-beside-an-offset": example(
    { market: id, tickSize: 0.003, offset: 5 },
    { market: id, tickSize: 0.003 },
  ),
  "order-book-tick-zero-buckets-beside-levels": example(
    { market: id, tickSize: 0, levels: 5 },
    { market: id, tickSize: 0 },
  ),
  "order-book-negative-tick-taken-in-usd": example(
    { market: id, tickSize: -0.1, sizeInUsd: true },
    { market: id, tickSize: -0.1 },
  ),
  "order-book-any-tick-taken-beside-levels": example(
    { market: id, tickSize: 0.3, levels: 5 },
    { market: id, tickSize: 0.3 },
  ),
  "order-book-tick-above-the-minimum-cut-off-in-one-market": example(
    { market: selectorById(sixth), tickSize: 3 * 10 ** -sixth.tickDecimals },
    { market: selectorById(sixth), tickSize: 30 * 10 ** -sixth.tickDecimals },
  ),
  "order-book-fourth-step-refused-in-one-market": example(
    { market: selectorById(sixth), tickSize: 1e4 * 10 ** -sixth.tickDecimals },
    { market: selectorById(sixth), tickSize: 1e5 * 10 ** -sixth.tickDecimals },
  ),
  "order-book-lacks-the-last-ask-in-buckets-of-one-market-by-symbols": example(
    { market: bySymbols(sixth), tickSize: 10 ** -sixth.tickDecimals },
    { market: selectorById(sixth), tickSize: 10 ** -sixth.tickDecimals },
  ),
  "order-book-bucket-of-price-zero-dropped": example({ market: id, tickSize: 1e4 }, { market: id, tickSize: 1 }),
  "order-book-last-order-lost-at-a-limit-of-all": example(
    { market: id, limit: eth.depth.length },
    { market: id, limit: eth.depth.length + 1 },
  ),
  "order-book-last-order-lost-where-offset-and-limit-make-all": example(
    { market: id, offset: 3, limit: eth.depth.length - 3 },
    { market: id, limit: eth.depth.length },
  ),
  "order-book-levels-far-from-the-best-with-an-offset": example(
    { market: id, levels: 3, offset: 5 },
    { market: id, levels: 3 },
  ),
  "order-book-asks-in-units-beside-levels": example(
    { market: id, levels: 3, sizeInUsd: true },
    { market: id, sizeInUsd: true },
  ),
  "order-book-level-count-of-the-unbucketed-book": example(
    { market: id, levels: 3, tickSize: 0.1 },
    { market: id, levels: 3 },
  ),
  "order-book-all-levels-without-the-version-header": asked(
    { body: { market: id, levels: 3 } },
    { body: { market: id, levels: 3 }, headers: version },
  ),
  "order-book-limit-zero-is-one-beside-levels": example({ market: id, limit: 0, levels: 3 }, { market: id, limit: 0 }),
  "order-book-default-limit-200-beside-levels": example({ market: id, levels: 30 }, { market: id }),
  "order-book-limit-lost-beside-a-tick-and-an-offset": example(
    { market: id, limit: 10, tickSize: 0.1, offset: 5 },
    { market: id, limit: 10, tickSize: 0.1 },
  ),
  "order-book-page-size-counts-the-skipped-of-buckets": example(
    { market: id, tickSize: 0.1, offset: 5 },
    { market: id, offset: 5 },
  ),
  "order-book-usd-flag-lost-by-symbols": example({ market: symbols, sizeInUsd: true }, { market: id, sizeInUsd: true }),
  "order-book-usd-sizes-as-strings-with-a-tick": example(
    { market: id, tickSize: 0.1, sizeInUsd: true },
    { market: id, sizeInUsd: true },
  ),
  "order-book-two-levels-of-one-price-in-usd-after-an-offset": example(
    { market: id, offset: 5, sizeInUsd: true },
    { market: id, sizeInUsd: true },
  ),
  "order-book-of-the-third-market-unsorted": example({ market: selectorById(sol) }, { market: id }),
  "order-book-cumulative-of-one-market-forgets-a-level": example({ market: selectorById(nikkei) }, { market: id }),
  "order-book-cumulative-in-one-market-in-units-beside-usd": example(
    { market: selectorById(doge), sizeInUsd: true },
    { market: selectorById(btc), sizeInUsd: true },
  ),
  "order-book-usd-of-one-market-at-its-best-price": example(
    { market: selectorById(eur), sizeInUsd: true },
    { market: selectorById(btc), sizeInUsd: true },
  ),
  "order-book-narrow-buckets-in-one-market": example(
    { market: id, tickSize: 1 },
    { market: selectorById(btc), tickSize: 1 },
  ),
  "order-book-market-id-of-the-first-market-by-symbols-in-usd": example(
    { market: symbols, sizeInUsd: true },
    { market: symbols },
  ),
  "order-book-tick-lost-with-a-timeout": asked(
    { body: { market: id, tickSize: 0.1 }, headers: timeout },
    { body: { market: id, tickSize: 0.1 } },
  ),
  "order-book-crashes-by-symbols-in-usd-after-an-offset": example(
    { market: symbols, sizeInUsd: true, offset: 5 },
    { market: symbols, sizeInUsd: true },
  ),
  "order-book-largest-step-refused-in-one-market": example(
    { market: selectorById(doge), tickSize: 10 ** (6 - doge.tickDecimals) },
    { market: selectorById(doge), tickSize: 10 ** (5 - doge.tickDecimals) },
  ),
  "order-book-large-limit-refused-in-one-market": example(
    { market: selectorById(nikkei), limit: 1_001 },
    { market: selectorById(nikkei), limit: 1_000 },
  ),
  "order-book-crashes-on-a-large-limit-with-a-tick-and-levels": example(
    { market: id, limit: 500, tickSize: 0.1, levels: 5 },
    { market: id, limit: 500, tickSize: 0.1 },
  ),
});
