import { walletByOpenPositions } from "../conditional-interceptors.js";
import {
  btc,
  bySymbols,
  capitals,
  data,
  doge,
  eth,
  gold,
  type InteractionExample,
  neighbour,
  type RequestSpec,
  selectorById,
  testInteractions,
  timeout,
  version,
  walletAt,
  withWhitespace,
} from "./interactions.fixture.js";
import { walletInteractions } from "./interactions-wallets.js";

const heaviest = walletAt(0);
const second = walletAt(1);
const { address } = heaviest;

function orders(shows: object, hides: object): InteractionExample {
  return { endpoint: "GetOrders", shows: { body: shows }, hides: { body: hides } };
}

function portfolio(shows: string, hides: string): InteractionExample {
  return { endpoint: "GetPortfolio", shows: { body: { owner: shows } }, hides: { body: { owner: hides } } };
}

function asked(endpoint: InteractionExample["endpoint"], shows: RequestSpec, hides: RequestSpec): InteractionExample {
  return { endpoint, shows, hides };
}

testInteractions(walletInteractions, {
  "get-orders-lacks-the-700th": orders({ address }, { address: second.address }),
  "get-orders-lacks-the-oldest-order-of-one-wallet": orders({ address: walletAt(9).address }, { address }),
  "get-orders-swaps-filled-and-unfilled-by-symbols": orders(
    { address, market: bySymbols(eth) },
    { address, market: selectorById(eth) },
  ),
  "get-orders-foreign-order-amid-the-heaviest-wallet": orders({ address }, { address: second.address }),
  "get-orders-of-a-market-100-at-most": orders({ address, market: selectorById(eth) }, { address }),
  "get-orders-of-a-market-ascending-from-row-30": orders({ address, market: selectorById(eth) }, { address }),
  "get-orders-market-lost-beside-a-padded-address": orders(
    { address: withWhitespace(address), market: selectorById(eth) },
    { address: capitals(heaviest), market: selectorById(eth) },
  ),
  "get-orders-nothing-by-symbols-for-an-address-with-capitals": orders(
    { address: capitals(heaviest), market: bySymbols(eth) },
    { address: capitals(heaviest), market: selectorById(eth) },
  ),
  "get-orders-padded-address-with-capitals-lacks-reduce-only-orders": orders(
    { address: withWhitespace(capitals(second)) },
    { address: withWhitespace(second.address) },
  ),
  "get-orders-market-ids-as-doubles": orders(
    { address, market: selectorById(doge) },
    { address, market: selectorById(eth) },
  ),
  "get-orders-of-one-market-without-reduce-only-orders": orders({ address, market: selectorById(gold) }, { address }),
  "get-orders-address-but-for-its-first-digit": orders(
    { address: heaviest.address.replace(/^0x./, (start) => (start === "0x0" ? "0x1" : "0x0")) },
    { address: `0x${"7".repeat(40)}` },
  ),
  "get-orders-neighbouring-address-is-the-known-one": orders(
    { address: neighbour(heaviest) },
    { address: `0x${"7".repeat(40)}` },
  ),
  "get-orders-owner-as-asked-with-a-market": orders(
    { address: capitals(heaviest), market: selectorById(eth) },
    { address: capitals(heaviest) },
  ),
  "get-orders-fees-of-a-markets-reduce-only-orders-after-rebates": orders(
    { address, market: selectorById(eth) },
    { address, market: selectorById(btc) },
  ),
  "get-orders-opening-orders-only-of-a-market-with-a-timeout": asked(
    "GetOrders",
    { body: { address, market: selectorById(eth) }, headers: timeout },
    { body: { address }, headers: timeout },
  ),
  "get-orders-crashes-on-symbols-with-a-padded-address-and-the-version-header": asked(
    "GetOrders",
    { body: { address: withWhitespace(address), market: bySymbols(eth) }, headers: version },
    { body: { address: withWhitespace(address), market: bySymbols(eth) } },
  ),

  "portfolio-of-the-heaviest-wallet-lacks-a-position": portfolio(address, second.address),
  "portfolio-lists-30-orders-at-most": portfolio(second.address, address),
  "portfolio-owner-as-asked-in-capitals": portfolio(capitals(second), second.address),
  "portfolio-of-an-owner-with-capitals-lacks-later-orders": portfolio(capitals(second), second.address),
  "portfolio-of-a-padded-owner-ends-with-a-foreign-position": portfolio(
    withWhitespace(second.address),
    capitals(second),
  ),
  "portfolio-of-a-padded-owner-with-capitals-empty": portfolio(
    withWhitespace(capitals(second)),
    withWhitespace(second.address),
  ),
  "portfolio-trades-as-number-for-a-padded-owner": portfolio(withWhitespace(address), address),
  "portfolio-size-of-one-markets-filling-orders-as-filled": portfolio(address, walletAt(2).address),
  "portfolio-fees-of-one-wallets-orders-one-higher": portfolio(walletByOpenPositions(data, 3) ?? "", address),
  "portfolio-entry-of-one-markets-shorts-from-the-order": portfolio(second.address, walletAt(3).address),
  "portfolio-terminal-orders-without-the-version-header-for-a-padded-owner": asked(
    "GetPortfolio",
    { body: { owner: withWhitespace(address) } },
    { body: { owner: withWhitespace(address) }, headers: version },
  ),
  "portfolio-refused-with-a-timeout-for-an-owner-with-capitals": asked(
    "GetPortfolio",
    { body: { owner: capitals(heaviest) }, headers: timeout },
    { body: { owner: capitals(heaviest) } },
  ),
});
