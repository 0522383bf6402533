import type { JsonObject } from "../connect/json.js";
import type { Outcome } from "../connect/outcome.js";
import type { Endpoint } from "../specification/endpoints.js";
import type { Ask, DiscoveryReply } from "./discovery-client.js";
import type { WalletSubject } from "./subjects.js";

/** A small platform for tests of discovery. */
export interface FakePlatform {
  readonly orders: readonly JsonObject[];
  readonly positions: readonly JsonObject[];
  /** Keys `positionId/marketId` of the open ones. */
  readonly open: readonly string[];
  /** Names of markets by id; orders of other markets are orphans. */
  readonly markets: Readonly<Record<string, string>>;
  /** What GetMarketIdByName knows: `ASSET` or `ASSET|QUOTE` to id. */
  readonly names: Readonly<Record<string, string>>;
  /** `totalOrderCount` of books by market id. */
  readonly books: Readonly<Record<string, number>>;
  /** Candles of a week by market id. */
  readonly candles: Readonly<Record<string, number>>;
}

/** A wallet address that ends in the given digits. */
export function wallet(end: string): string {
  return `0x${end.padStart(40, "0")}`;
}

/** A wallet subject about which nothing is known but what is given. */
export function walletSubject(address: string, known: Partial<WalletSubject> = {}): WalletSubject {
  return {
    address,
    hasLetters: true,
    ordersSeen: 0,
    markets: [],
    hasReduceOnlyOrders: false,
    closedPositions: 0,
    openStatuses: [],
    openReduceTypes: [],
    ...known,
  };
}

const active = ["ORDER_STATUS_PENDING", "ORDER_STATUS_PARTIALLY_FILLED", "ORDER_STATUS_PARTIALLY_MERGED"];

/** A target that serves a platform, and remembers what it was asked. */
export function fakeTarget(
  platform: FakePlatform,
  instead: (endpoint: Endpoint, request: JsonObject) => DiscoveryReply["outcome"] | undefined = () => undefined,
): { ask: Ask; asked: { endpoint: Endpoint; request: JsonObject }[] } {
  const asked: { endpoint: Endpoint; request: JsonObject }[] = [];
  const ask: Ask = async (endpoint, input) => {
    const request = input as JsonObject;
    asked.push({ endpoint, request });
    const exchangeId = `${endpoint}#${asked.length}`;
    return { exchangeId, outcome: instead(endpoint, request) ?? answer(platform, endpoint, request) };
  };
  return { ask, asked };
}

/** A Connect error. */
export function errorOutcome(code: string, message = "no"): Outcome {
  return { kind: "error", code, message, body: { code, message } };
}

function success(body: JsonObject): Outcome {
  return { kind: "success", body };
}

function answer(platform: FakePlatform, endpoint: Endpoint, request: JsonObject): Outcome {
  switch (endpoint) {
    case "GetAllPositions":
      return page("positions", platform.positions, request);
    case "GetAllOrders": {
      const ofWallet = platform.orders.filter(
        ({ owner }) => request.address === undefined || owner === request.address,
      );
      return page("orders", request.onlyOpen ? ofWallet.filter(isActive) : ofWallet, request);
    }
    case "GetOpenPositionsStreaming":
      return success({ positions: [] });
    case "GetOrders":
      return success({ orders: platform.orders.filter(({ owner }) => owner === request.address) });
    case "GetPortfolio": {
      const { owner } = request;
      const positions = platform.positions.filter(
        (position) => position.owner === owner && platform.open.includes(`${position.positionId}/${position.marketId}`),
      );
      return success({
        portfolio: { owner, positions, orders: platform.orders.filter(isActive).filter((o) => o.owner === owner) },
      });
    }
    case "GetOrderBook":
      return ofMarket(platform, request, (id) => ({
        orderBook: { marketId: id, totalOrderCount: platform.books[id] ?? 0 },
      }));
    case "GetHistoricalPrices":
      return ofMarket(platform, request, (id) => ({
        priceCandleSticks: Array.from({ length: platform.candles[id] ?? 0 }, () => ({
          timestamp: "2026-01-02T03:00:00Z",
        })),
      }));
    case "GetMarketConfigs":
      return ofMarket(platform, request, (id) => ({
        marketConfig: { marketId: id, marketName: platform.markets[id], tickDecimals: 2 },
      }));
    case "GetMarketIdByName": {
      const { assetSymbol, quoteSymbol } = request;
      if (String(assetSymbol).trim() === "") return errorOutcome("invalid_argument");
      const id = platform.names[quoteSymbol === undefined ? `${assetSymbol}` : `${assetSymbol}|${quoteSymbol}`];
      return id === undefined ? errorOutcome("not_found") : success({ marketId: id });
    }
  }
}

function isActive({ status }: JsonObject): boolean {
  return active.includes(String(status));
}

function page(name: "orders" | "positions", rows: readonly JsonObject[], request: JsonObject): Outcome {
  const limit = Number(request.limit ?? 50);
  const offset = Number(request.offset ?? 0);
  const totalCount = name === "orders" ? String(rows.length) : rows.length;
  return success({ [name]: rows.slice(offset, offset + limit), pagination: { limit, offset, totalCount } });
}

function ofMarket(platform: FakePlatform, request: JsonObject, body: (id: string) => JsonObject): Outcome {
  const id = String((request.market as JsonObject | undefined)?.marketId ?? "0");
  if (id === "0") return errorOutcome("invalid_argument");
  return platform.markets[id] === undefined ? errorOutcome("not_found") : success(body(id));
}
