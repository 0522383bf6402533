/** Scopes of faults: everywhere, or only for one combination of request fields, one market, one wallet, or one page. */
import type { ParsedRequest } from "../judge/parsed-request.js";
import type { Endpoint } from "../specification/endpoints.js";
import { groupBy } from "../specification/group-by.js";
import { orderCountOf } from "../subjects/select.js";
import type { Subjects } from "../subjects/subjects.js";
import { type AnswerView, requestHeader } from "./answer-view.js";
import type { Scope, ScopeName } from "./fault.js";
import type { ObservedPlatform } from "./platform.js";

/** No restriction. */
export const everywhere: Scope = { name: "", words: "", answers: () => true };

/** The scopes with a name. None if the platform has no subject for it; one per operation for `each operation`. */
export function scopesOf(
  name: ScopeName,
  operations: readonly Endpoint[],
  platform: ObservedPlatform,
): readonly Scope[] {
  switch (name) {
    case "one market":
      return ofMarket(platform);
    case "one wallet":
      return ofWallet(platform);
    case "later pages":
      return [when(name, "only on pages with an offset", ({ offset = 0 }) => offset > 0)];
    case "another way to write":
      return [
        when(
          name,
          "only where a subject is written in another way",
          ({ padded, recased, bySymbols }) => padded || recased || bySymbols,
        ),
      ];
    case "one side":
      return [{ ...everywhere, name, words: "only of short positions", rows: ({ side }) => side === "SIDE_SHORT" }];
    case "reduce-only orders":
      return [
        { ...everywhere, name, words: "only of reduce-only orders", rows: ({ reduceOnly }) => reduceOnly === true },
      ];
    case "two fields":
      return together(name, operations, 0);
    case "two other fields":
      return together(name, operations, 1);
    case "each operation":
      return operations.length < 2
        ? []
        : operations.map((operation) => ({
            ...everywhere,
            name: `in ${operation}`,
            words: `only in ${operation}`,
            operations: [operation],
          }));
  }
}

type RequestTest = (asked: ParsedRequest, view: AnswerView) => boolean;

function when(name: ScopeName, words: string, holds: RequestTest): Scope {
  return { name, words, answers: (view) => view.asked !== undefined && holds(view.asked, view) };
}

/** The market with the fewest known orders (but some), so that the best-known market is not picked. */
function ofMarket({ subjects, orders }: ObservedPlatform): readonly Scope[] {
  const byMarket = groupBy(orders, ({ marketId }) => String(marketId));
  const ordersIn = (id: string) => byMarket.get(id)?.length ?? 0;
  const ids = subjects.markets.map(({ marketId }) => marketId).filter((id) => ordersIn(id) > 0);
  const market = leastOf(ids, ordersIn);
  if (market === undefined) return [];
  return [
    {
      name: "one market",
      words: `only in market ${market}`,
      answers: ({ asked }) => asked?.marketId === market,
      rowsOf: ({ asked, endpoint }) => !ofOneMarket.includes(endpoint) || asked?.marketId === market,
      rows: (row) => row.marketId === undefined || String(row.marketId) === market,
    },
  ];
}

/** Operations whose answer covers one market. */
const ofOneMarket: readonly Endpoint[] = [
  "GetOrderBook",
  "GetHistoricalPrices",
  "GetMarketConfigs",
  "GetMarketIdByName",
];

/** The lightest wallet with open positions and orders, or else with any orders. Never the heaviest. */
function ofWallet({ subjects }: ObservedPlatform): readonly Scope[] {
  const wallet = lightest(subjects);
  if (wallet === undefined) return [];
  return [
    {
      name: "one wallet",
      words: `only of wallet ${wallet}`,
      answers: ({ asked }) => asked?.wallet === wallet,
      rowsOf: () => true,
      rows: (row) => row.owner === undefined || String(row.owner).toLowerCase() === wallet,
    },
  ];
}

function lightest({ wallets }: Subjects): string | undefined {
  const holding = wallets.filter(({ openPositions = 0, openOrders = 0 }) => openPositions > 0 && openOrders > 0);
  const active = holding.length > 1 ? holding : wallets.filter(({ orders = 0 }) => orders > 0);
  return leastOf(active, orderCountOf)?.address;
}

function leastOf<One>(all: readonly One[], of: (item: One) => number): One | undefined {
  return all.length < 2 ? undefined : all.reduce((least, item) => (of(item) < of(least) ? item : least));
}

/** Pairs of request properties per operation. A server may honour each alone but lose one in combination. */
const pairs: Readonly<Record<Endpoint, readonly (readonly [words: string, holds: RequestTest])[]>> = {
  GetAllPositions: [
    ["with a limit and an offset", ({ limit = 0, offset = 0 }) => limit > 0 && offset > 0],
    ["with a limit of 0 and an offset", ({ limit, offset = 0 }) => limit === 0 && offset > 0],
  ],
  GetAllOrders: [
    ["with a wallet and onlyOpen", ({ wallet, onlyOpen }) => wallet !== undefined && onlyOpen],
    ["with a wallet and an offset", ({ wallet, offset = 0 }) => wallet !== undefined && offset > 0],
  ],
  GetOrders: [
    ["with a market and an address in another case", ({ marketId, recased }) => marketId !== undefined && recased],
    ["by symbols and with blanks around the address", ({ bySymbols, padded }) => bySymbols && padded],
  ],
  GetPortfolio: [
    ["with blanks around an address in another case", ({ padded, recased }) => padded && recased],
    ["without a protocol version", (_, view) => requestHeader(view, "connect-protocol-version") === undefined],
  ],
  GetOpenPositionsStreaming: [
    ["with blanks around an address in another case", ({ padded, recased }) => padded && recased],
    [
      "with an interval, the address in another case",
      ({ recased }, { request }) => recased && !!request.updateIntervalMs,
    ],
  ],
  GetOrderBook: [
    ["with levels and sizeInUsd", ({ levels = 0, sizeInUsd }) => levels > 0 && sizeInUsd],
    ["with a tickSize and an offset", ({ tick = 0, offset = 0 }) => tick > 0 && offset > 0],
  ],
  GetHistoricalPrices: [
    [
      "with a limit and the interval 1D",
      ({ interval }, { request }) => interval === "1D" && request.limit !== undefined,
    ],
    [
      "with a limit and the interval 60",
      ({ interval }, { request }) => interval === "60" && request.limit !== undefined,
    ],
  ],
  GetMarketConfigs: [
    [
      "by symbols and with a timeout",
      ({ bySymbols }, view) => bySymbols && requestHeader(view, "connect-timeout-ms") !== undefined,
    ],
    [
      "by symbols and without a protocol version",
      ({ bySymbols }, view) => bySymbols && requestHeader(view, "connect-protocol-version") === undefined,
    ],
  ],
  GetMarketIdByName: [
    ["with blanks around a symbol in another case", ({ padded, recased }) => padded && recased],
    [
      "with a symbol in another case and a timeout",
      ({ recased }, view) => recased && requestHeader(view, "connect-timeout-ms") !== undefined,
    ],
  ],
};

function together(name: ScopeName, operations: readonly Endpoint[], index: number): readonly Scope[] {
  return operations.flatMap((operation) => {
    const pair = pairs[operation][index];
    if (!pair) return [];
    const [words, holds] = pair;
    const inOne = operations.length === 1 ? name : `${name} of ${operation}`;
    return [{ ...when(name, `only ${words}`, holds), name: inOne, operations: [operation] }];
  });
}
